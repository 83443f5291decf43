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

/** A tenant of its own for each test. */
function tenant() {
  tenants += 1;
  const id = asTenantId(`tenant-${tenants}`);
  const table = new TenantTable(dynamodb.client, 'Core', id, () => {});
  return { id, table, assets: new Assets(table, id) };
}

describe('assets', () => {
  it('creates an asset that can be read by its id and by its external_id', async () => {
    const { assets } = tenant();
    const asset = await assets.create(newAssetId(), now, { ...file, external_id: 'cms-1' });
    expect(await assets.get(asset.asset_id)).toMatchObject({
      filename: 'a.mp4',
      status: 'created',
      version: 1,
    });
    expect((await assets.getByExternalId('cms-1')).asset_id).toBe(asset.asset_id);
  });

  it('uses the file name as the name of an asset if no name is given', async () => {
    const { assets } = tenant();
    expect((await assets.create(newAssetId(), now, file)).name).toBe('a.mp4');
  });

  it('refuses an external_id that this tenant already uses', async () => {
    const { assets } = tenant();
    await assets.create(newAssetId(), now, { ...file, external_id: 'cms-1' });
    await expect(assets.create(newAssetId(), now, { ...file, external_id: 'cms-1' })).rejects.toMatchObject({
      code: 'external_id_conflict',
    });
  });

  it('allows exactly one of 50 concurrent creations with the same external_id', async () => {
    const { assets } = tenant();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => assets.create(newAssetId(), now, { ...file, external_id: 'one' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
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

  it('answers 404 for ids of another tenant', async () => {
    const owner = tenant();
    const stranger = tenant();
    const asset = await owner.assets.create(newAssetId(), now, { ...file, external_id: 'cms-1' });
    await expect(stranger.assets.get(asset.asset_id)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(stranger.assets.getByExternalId('cms-1')).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    await expect(stranger.assets.beginDeletion(asset.asset_id, now, undefined)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });

  it('refuses keys outside of the tenant before they reach the table', async () => {
    const { table } = tenant();
    const foreign = { pk: 'T#other#A#1', sk: 'META' };
    await expect(table.get(foreign)).rejects.toThrow('outside of the tenant');
    await expect(table.put(foreign)).rejects.toThrow('outside of the tenant');
    await expect(table.transact([{ delete: foreign }])).rejects.toThrow('outside of the tenant');
  });

  const upload = { upload_id: 'upload-1', etags: ['etag'] };

  it('starts one job if two callers finish the same upload at the same time', async () => {
    const { assets } = tenant();
    const created = await assets.create(newAssetId(), now, file);
    await assets.beginUpload(created, 'upload-1', now);
    const asset = await assets.get(created.asset_id);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        assets.beginProcessing(asset, newIngestJob(newJobId(), asset.asset_id, { upload, now }), now),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  it('keeps an asset deleted if its job continues', async () => {
    const { assets } = tenant();
    const created = await assets.create(newAssetId(), now, file);
    await assets.beginUpload(created, 'upload-1', now);
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

  it('refuses a deletion with the ETag of another version in If-Match', async () => {
    const { assets } = tenant();
    const asset = await assets.create(newAssetId(), now, file);
    await expect(assets.beginDeletion(asset.asset_id, now, '7')).rejects.toMatchObject({
      code: 'precondition_failed',
    });
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

describe('lists of assets', () => {
  /** Ids in the order of their creation. */
  async function fill(count: number, facetsOf: (at: number) => string[]) {
    const given = tenant();
    const ids = Array.from({ length: count }, () => newAssetId());
    for (const [at, asset] of ids.entries()) {
      for (const name of facetsOf(at)) await given.table.put(facetKey(given.id, name, asset));
    }
    return { ...given, newestFirst: ids.toReversed() };
  }

  it('have pages, newest first, with the exact total', async () => {
    const { table, id, newestFirst } = await fill(20, () => ['all']);
    const second = await pageOfIds(table, id, { facets: ['all'], position: { skip: 8 }, size: 8 });
    expect(second).toEqual({
      ids: newestFirst.slice(8, 16),
      total: 20,
      total_is_lower_bound: false,
      more: true,
    });
    expect((await pageOfIds(table, id, { facets: ['all'], position: { skip: 16 }, size: 8 })).more).toBe(
      false,
    );
  });

  it('continue after a cursor without counting again', async () => {
    const { table, id, newestFirst } = await fill(20, () => ['all']);
    const counted = { total: 20, total_is_lower_bound: false };
    const page = await pageOfIds(table, id, {
      facets: ['all'],
      position: { skip: 0, after: newestFirst[7]!, counted },
      size: 8,
    });
    expect(page.ids).toEqual(newestFirst.slice(8, 16));
    expect(page).toMatchObject({ total: 20, more: true });
  });

  it('continue at the same item if assets are added before a cursor', async () => {
    const { table, id, newestFirst } = await fill(10, () => ['all']);
    await table.put(facetKey(id, 'all', newAssetId()));
    const counted = { total: 10, total_is_lower_bound: false };
    const page = await pageOfIds(table, id, {
      facets: ['all'],
      position: { skip: 0, after: newestFirst[4]!, counted },
      size: 10,
    });
    expect(page.ids).toEqual(newestFirst.slice(5));
  });

  it('contain only assets that match all filters', async () => {
    const { table, id, newestFirst } = await fill(60, (at) => [
      'all',
      ...(at % 2 === 0 ? ['two'] : []),
      ...(at % 3 === 0 ? ['three'] : []),
    ]);
    const expected = newestFirst.filter((_, at) => (59 - at) % 6 === 0);
    expect(
      (await pageOfIds(table, id, { facets: ['three', 'two'], position: { skip: 0 }, size: 100 })).ids,
    ).toEqual(expected);
    expect(
      (await pageOfIds(table, id, { facets: ['none', 'two'], position: { skip: 0 }, size: 100 })).ids,
    ).toEqual([]);
  });
});
