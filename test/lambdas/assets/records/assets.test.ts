import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Assets } from '../../../../lambdas/assets/records/assets.ts';
import { pageOfIds } from '../../../../platform/table/id-pages.ts';
import { externalIdKey, facetKey } from '../../../../platform/table/keys.ts';
import { TenantTable } from '../../../../platform/table/tenant-table.ts';
import { asTenantId } from '../../../../shared/ids.ts';
import { newIngestJob } from '../../../../shared/ingest-jobs.ts';
import { startDynamoDb, type TestDynamoDb } from '../../../support/dynamodb.ts';
import { newAssetId, newJobId } from '../../../support/ids.ts';

const now = new Date('2026-11-21T09:00:00Z');
const file = { filename: 'a.mp4', mc_model: 'normal' } as const;

let dynamodb: TestDynamoDb;
let tenants = 0;

beforeAll(async () => {
  dynamodb = await startDynamoDb();
});
afterAll(() => dynamodb.close());

function tenant() {
  tenants += 1;
  const id = asTenantId(`tenant-${tenants}`);
  const table = new TenantTable(dynamodb.client, 'Core', id, () => {});
  return { id, table, assets: new Assets(table, id) };
}

describe('assets', () => {
  it('uses the file name as the name of an asset if no name is given', async () => {
    const { assets } = tenant();
    expect((await assets.create(newAssetId(), now, file)).name).toBe('a.mp4');
  });

  it('allows exactly one of 50 concurrent creations with the same external_id', async () => {
    const { assets } = tenant();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => assets.create(newAssetId(), now, { ...file, external_id: 'one' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('external_id_conflict');
  });

  it('returns the same asset when its creation is repeated with the same id', async () => {
    const { assets, table, id } = tenant();
    const asset = newAssetId();
    await assets.create(asset, now, { ...file, external_id: 'cms-1' });
    expect(await assets.create(asset, now, { ...file, external_id: 'cms-1' })).toMatchObject({
      asset_id: asset,
    });
    expect((await pageOfIds(table, id, { facets: ['all'], position: { skip: 0 }, size: 16 })).total).toBe(1);
  });

  it('refuses keys outside of the tenant before they reach the table', async () => {
    const { table } = tenant();
    const foreign = { pk: 'T#other#A#1', sk: 'META' };
    await expect(table.get(foreign)).rejects.toThrow('outside of the tenant');
    await expect(table.put(foreign)).rejects.toThrow('outside of the tenant');
    await expect(table.transact([{ delete: foreign }])).rejects.toThrow('outside of the tenant');
  });

  const upload = { upload_id: 'upload-1', etags: ['etag'] };

  it('keeps an asset deleted if its job continues', async () => {
    const { assets } = tenant();
    const created = await assets.create(newAssetId(), now, file);
    await assets.beginUpload(created, { upload_id: 'upload-1', upload_parts: 1 }, now);
    const job = newIngestJob(newJobId(), created.asset_id, { upload, now });
    await assets.beginProcessing(await assets.get(created.asset_id), job, now);
    await assets.beginDeletion(created.asset_id, now, undefined);
    expect(
      await assets.advance(
        { asset_id: created.asset_id, job_id: job.job_id },
        { stage: 'probe', progress: 0.1 },
        now,
      ),
    ).toBeNull();
    expect((await assets.get(created.asset_id)).status).toBe('deleting');
  });

  it('leaves no data of an erased asset, and releases its external_id', async () => {
    const { assets, table, id } = tenant();
    const asset = await assets.create(newAssetId(), now, { ...file, external_id: 'cms-1' });
    await assets.addLanguage(asset.asset_id, 'a-language', now);
    await assets.beginDeletion(asset.asset_id, now, undefined);
    await assets.erase(asset.asset_id);
    await assets.erase(asset.asset_id);
    await expect(assets.get(asset.asset_id)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await table.get(externalIdKey(id, 'cms-1'))).toBeNull();
    expect(await table.get(facetKey(id, 'language_id#a-language', asset.asset_id))).toBeNull();
  });
});
