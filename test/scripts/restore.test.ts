/** Rehearses docs/restore.md: saves real tables and objects, deletes them, and restores them with its steps. */
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import {
  eraseVersions,
  refusalOf,
  restoreItems,
  restoreObjects,
  undeletions,
} from '../../scripts/restoring/assets.ts';
import { type AssetId, asTenantId } from '../../shared/ids.ts';
import type { Tenant } from '../support/api.ts';
import { startTestApi } from '../support/test-api.ts';

const api = await startTestApi({ isVersioned: true });
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const s3 = new S3Client({ endpoint: api.s3.url, region: 'us-east-1', credentials, forcePathStyle: true });

/** The result of RestoreTableToPointInTime: another table with the items of that time. */
async function restoredTable(TableName: string): Promise<string> {
  const { client } = api.environment;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Core' }));
  const { KeySchema, AttributeDefinitions } = Table!;
  await client.send(
    new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' }),
  );
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'Core' }));
  for (const Item of Items) await client.send(new PutItemCommand({ TableName, Item }));
  return TableName;
}

async function deleted(tenant: Tenant, asset_id: string) {
  expect((await tenant.call('DELETE', `/v1/assets/${asset_id}`)).status).toBe(204);
  const { handler: removeMedia } = await import('../../lambdas/assets/steps/remove-media.ts');
  const { handler: eraseAsset } = await import('../../lambdas/assets/steps/erase-asset.ts');
  const input = { tenant: tenant.id, asset_id } as never;
  expect(await removeMedia(input, {} as never)).toMatchObject({ quiet: true });
  await eraseAsset(input, {} as never);
  expect((await tenant.call('GET', `/v1/assets/${asset_id}`)).status).toBe(404);
}

/** S3 and its versions have a resolution of seconds on AWS, and of milliseconds here. */
async function moment(): Promise<Date> {
  await delay(5);
  const now = new Date();
  await delay(5);
  return now;
}

describe('an asset that was deleted by mistake', () => {
  it('is restored with its subtitles from the earlier table and media', async () => {
    const tenant = await api.tenant('mistaken');
    const asset = await tenant.readyAsset({ languages: [] });
    const transcription = await tenant.transcribed(asset, ['Good morning.', 'We begin.']);
    const subtitles = () => tenant.call('GET', `/v1/assets/${asset}/transcriptions/${transcription}/vtt`);
    const before = await subtitles();
    expect(before.status).toBe(200);
    expect(before.text).toContain('We begin.');
    const at = await moment();
    const from = await restoredTable('Core-restored');

    await deleted(tenant, asset);
    const kept = await tenant.readyAsset();
    const [bucket, prefix] = ['media', `t/${tenant.id}/assets/${asset}/`];
    const items = { from, to: 'Core', tenant: tenant.id, assetId: asset };
    const counted = await restoreObjects(s3, { bucket, prefix, moment: at, apply: false });
    expect((await subtitles()).status).toBe(404);
    expect(await restoreObjects(s3, { bucket, prefix, moment: at, apply: true })).toBe(counted);
    expect(counted).toBeGreaterThan(0);
    const missing = await restoreItems(api.environment.client, { ...items, apply: false });
    expect(missing).toBeGreaterThan(0);
    expect(await restoreItems(api.environment.client, { ...items, apply: true })).toBe(missing);

    const after = await subtitles();
    expect([after.status, after.text]).toEqual([200, before.text]);
    const { json } = await tenant.call('GET', '/v1/assets?items=100');
    const listed = json.data.map(({ asset_id }: { asset_id: string }) => asset_id);
    expect(listed.sort()).toEqual([asset, kept].sort());
    // A second restore does not overwrite restored objects.
    expect(await restoreObjects(s3, { bucket, prefix, moment: at, apply: true })).toBe(0);
    expect(await restoreItems(api.environment.client, { ...items, apply: true })).toBe(0);
  });

  it('is restored with related items of its tenant, and without items of others', async () => {
    const { client } = api.environment;
    const from = await restoredTable('Core-admin');
    const entry = (pk: string, tenant: string) => ({ pk: { S: pk }, sk: { S: 'x' }, tenant: { S: tenant } });
    const own = ['ADMIN#external_storages', 'ADMIN#open_jobs#3', 'ADMIN#deletions#5'];
    const others = ['ADMIN#outbox#1', 'ADMIN#turns'];
    for (const pk of [...own, ...others])
      await client.send(new PutItemCommand({ TableName: from, Item: entry(pk, 'lost') }));
    await client.send(new PutItemCommand({ TableName: from, Item: entry('ADMIN#open_jobs#4', 'another') }));
    expect(await restoreItems(client, { from, to: 'Core', tenant: 'lost', apply: true })).toBe(own.length);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'Core' }));
    const restored = Items.filter(({ sk }) => sk?.S === 'x').map(({ pk }) => pk?.S);
    expect(restored.sort()).toEqual(own.sort());
  });

  it('has no version of its media after it was erased', async () => {
    const tenant = await api.tenant('forgotten');
    const asset = await tenant.readyAsset();
    await tenant.transcribed(asset, ['No one may read this.']);
    const at = await moment();
    await deleted(tenant, asset);
    const [bucket, prefix] = ['media', `t/${tenant.id}/assets/${asset}/`];
    const all = async () => {
      const list = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix });
      const { Versions = [], DeleteMarkers = [] } = await s3.send(list);
      return Versions.length + DeleteMarkers.length;
    };
    const before = await all();
    expect(before).toBeGreaterThan(1);
    expect(await eraseVersions(s3, { bucket, prefix, apply: false })).toBe(before);
    expect(await all()).toBe(before);
    await eraseVersions(s3, { bucket, prefix, apply: true });
    expect(await all()).toBe(0);
    expect(await restoreObjects(s3, { bucket, prefix, moment: at, apply: true })).toBe(0);
  });
});

describe('npm run restore -- erase', () => {
  const erase = (tenant: string, asset: string, ...more: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const place = ['--table', 'Core', '--bucket', 'media', '--region', 'us-east-1'];
      const args = ['scripts/restore.ts', 'erase', '--tenant', tenant, '--asset', asset, ...place, ...more];
      const env = {
        ...process.env,
        AWS_ENDPOINT_URL_DYNAMODB: api.environment.url,
        AWS_ENDPOINT_URL_S3: api.s3.url,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      };
      execFile('node', args, { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  it('erases only a deleted asset', async () => {
    const tenant = await api.tenant('hasty');
    const asset = await tenant.readyAsset({ languages: [] });
    const transcription = await tenant.transcribed(asset, ['Still here.']);
    const refused = await erase(tenant.id, asset, '--yes');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`DELETE /v1/assets/${asset}`);
    const subtitles = await tenant.call('GET', `/v1/assets/${asset}/transcriptions/${transcription}/vtt`);
    expect([subtitles.status, subtitles.text]).toEqual([200, expect.stringContaining('Still here.')]);

    await deleted(tenant, asset);
    const counted = JSON.parse((await erase(tenant.id, asset)).stdout);
    expect(counted).toEqual({ done: false, versions: expect.any(Number) });
    expect(JSON.parse((await erase(tenant.id, asset, '--yes')).stdout)).toEqual({ ...counted, done: true });
    expect(JSON.parse((await erase(tenant.id, asset)).stdout)).toEqual({ done: false, versions: 0 });
  });

  it('rejects an asset with media or a running deletion, even if the given table does not contain the asset', async () => {
    const tenant = await api.tenant('elsewhere');
    const asset = (await tenant.readyAsset()) as AssetId;
    await tenant.transcribed(asset, ['Of another environment.']);
    const clients = { dynamodb: api.environment.client, s3 };
    const asked = {
      ...{ tenant: asTenantId(tenant.id), asset, table: 'Core', bucket: 'media' },
      prefix: `t/${tenant.id}/assets/${asset}/`,
    };
    const elsewhere = await refusalOf(clients, { ...asked, table: 'Auth' });
    expect(elsewhere).toMatchObject({ says: expect.stringMatching(/^\d+ objects/) });
    expect((await tenant.call('DELETE', `/v1/assets/${asset}`)).status).toBe(204);
    expect(await refusalOf(clients, asked)).toMatchObject({ says: expect.stringContaining('still') });
  });
});

describe('a version of an object that is restored', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second));
  const version = (Key: string, second: number, IsLatest = false) => ({
    ...{ Key, IsLatest, LastModified: at(second), VersionId: `${Key}${second}` },
  });

  it('existed at the given time, and does not exist now', () => {
    const kept = [version('there', 1, true), version('later', 6), version('before', 1)];
    const markers = [version('gone', 8, true), version('later', 8, true), version('before', 3, true)];
    expect(undeletions([version('gone', 1), ...kept], markers, at(5))).toEqual([
      { Key: 'gone', VersionId: 'gone8' },
    ]);
  });

  it('counts as deleted if its write and its deletion have the same second', () => {
    expect(undeletions([version('a', 2)], [version('a', 2, true)], at(5))).toEqual([]);
  });
});
