import { afterEach, describe, expect, it, vi } from 'vitest';
import { AdminStorages } from '../../../../lambdas/exports/records/admin-storages.ts';
import { AdminTable } from '../../../../platform/table/admin-table.ts';
import type { Tenant } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';

const path = '/v1/external_storages';
const secret = 'sv=2026&sig=TopSecretSignature';
const azure = {
  name: 'Cold archive',
  type: 'azure',
  destination: { blob_url: 'https://account.blob.core.windows.net/container' },
  authentication_data: { sas_token: secret },
};

const api = await startTestApi();
const own = await api.tenant('acme');
afterEach(() => vi.restoreAllMocks());

const make = async (tenant = own, body: object = azure) => (await tenant.call('POST', path, body)).json;

describe('credentials of a storage', () => {
  it('are never returned; the response shows only which of them are set', async () => {
    const made = await make();
    expect(made.authentication_fields).toEqual(['sas_token']);
    const answers = [
      made,
      (await own.call('GET', `${path}/${made.external_storage_id}`)).json,
      (await own.call('GET', path)).json,
      (await own.call('PATCH', `${path}/${made.external_storage_id}`, { name: 'Renamed' })).json,
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain('TopSecret');
      expect(answer).not.toHaveProperty('authentication_data');
    }
  });

  it('are encrypted in the table, bound to their tenant and storage', async () => {
    const made = await make();
    const item = await own.table.get({ pk: 'T#acme#CFG#external_storages', sk: made.external_storage_id });
    expect(Buffer.from(JSON.stringify(item)).toString()).not.toContain('TopSecret');
    const { tenantSecrets } = await import('../../../../platform/runtime/secrets.ts');
    const sealed = item!.authentication as never;
    const context = { tenant: 'acme', resource: made.external_storage_id };
    expect(await tenantSecrets().open(sealed, context)).toEqual({ sas_token: secret });
    for (const other of [{ tenant: 'other' }, { resource: 'another' }]) {
      await expect(tenantSecrets().open(sealed, { ...context, ...other })).rejects.toThrow();
    }
  });

  it('are in no log and no error message', async () => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await make();
    const refused = await own.call('POST', path, { ...azure, type: 'aws_s3' });
    expect(refused.status).toBe(422);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join() + refused.text).not.toContain('TopSecret');
  });

  it('are replaced as a whole, kept if the request omits them, and removed by null', async () => {
    const { external_storage_id } = await make();
    const item = `${path}/${external_storage_id}`;
    const fields = async (change: object) =>
      (await own.call('PATCH', item, change)).json.authentication_fields;
    expect(await fields({ name: 'B' })).toEqual(['sas_token']);
    expect(await fields({ authentication_data: { sas_token: 'another' } })).toEqual(['sas_token']);
    expect(await fields({ authentication_data: null })).toEqual([]);
  });
});

describe('credentials are used only for their destination', () => {
  const elsewhere = { blob_url: 'https://another.blob.core.windows.net/container' };

  it('and a changed destination requires new credentials', async () => {
    const { external_storage_id } = await make();
    const change = (body: object) => own.call('PATCH', `${path}/${external_storage_id}`, body);
    for (const destination of [elsewhere, null]) {
      const refused = await change({ destination });
      expect(refused.status).toBe(422);
      expect(refused.json.errors).toMatchObject([{ pointer: '/authentication_data', code: 'required' }]);
    }
    expect((await change({ destination: azure.destination })).status).toBe(200);
    const both = await change({ destination: elsewhere, authentication_data: { sas_token: 'sig=2' } });
    expect(both.json).toMatchObject({ destination: elsewhere, authentication_fields: ['sas_token'] });
    const without = await change({ destination: azure.destination, authentication_data: null });
    expect(without.json.authentication_fields).toEqual([]);
    expect((await change({ destination: elsewhere })).status).toBe(200);
  });
});

describe('an incomplete storage', () => {
  it.each([
    [{ ...azure, destination: undefined }, ['destination']],
    [{ ...azure, authentication_data: undefined }, ['authentication_data']],
    [{ name: 'S', type: 'aws_s3' }, ['destination', 'authentication_data']],
    [azure, []],
    [{ name: 'S', type: 'dummy' }, []],
  ])('names the missing members: %j', async (body, missing) => {
    const made = await make(own, body);
    expect(made.missing).toEqual(missing);
    expect((await own.call('GET', `${path}/${made.external_storage_id}`)).json.missing).toEqual(missing);
  });

  it('accepts no exports until it is complete', async () => {
    const asset = await own.readyAsset();
    const transcription = await own.transcribed(asset, ['hello']);
    const { external_storage_id } = await make(own, { name: 'S', type: 'azure' });
    const send = () =>
      own.call('POST', `/v1/assets/${asset}/transcriptions/${transcription}/vtt/export`, {
        external_storage_id,
      });
    const refused = await send();
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state']);
    expect(refused.json.detail).toContain('no destination and no authentication_data');
    const { destination, authentication_data } = azure;
    await own.call('PATCH', `${path}/${external_storage_id}`, { destination, authentication_data });
    expect((await send()).status).toBe(202);
  });
});

describe('the members of a storage', () => {
  it.each([
    [
      'aws_s3',
      { bucket_name: 'archive', region: 'eu-central-1' },
      { iam_role_arn: 'arn:aws:iam::123456789012:role/x' },
    ],
    ['azure', { blob_url: 'https://a.blob.core.windows.net/c' }, { sas_token: 'sig=1' }],
    [
      'gcp_storage',
      { bucket_name: 'archive' },
      { credentials: { client_email: 'a@b', private_key: 'k', type: 's' } },
    ],
    ['dummy', {}, {}],
  ])('are accepted if they fit its type %s: %j', async (type, destination, authentication_data) => {
    const reply = await own.call('POST', path, { name: 'S', type, destination, authentication_data });
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({ type, destination });
  });

  it.each([
    ['aws_s3', { bucket_name: 'archive' }, '/destination/region', 'required'],
    ['aws_s3', { bucket_name: 'archive', region: 'mars' }, '/destination/region', 'invalid_format'],
    [
      'azure',
      { bucket_name: 'archive', blob_url: 'https://a/b' },
      '/destination/bucket_name',
      'unknown_member',
    ],
    ['azure', { blob_url: 'http://169.254.169.254/' }, '/destination/blob_url', 'invalid_format'],
    ['azure', { blob_url: 'https:///' }, '/destination/blob_url', 'invalid_format'],
    ['azure', { blob_url: 'https://[::1' }, '/destination/blob_url', 'invalid_format'],
    ['azure', { blob_url: 'https://a:99999/c' }, '/destination/blob_url', 'invalid_format'],
    ['azure', { blob_url: 'https://a.example/c/../other' }, '/destination/blob_url', 'invalid_format'],
    ['azure', { blob_url: 'https://a.example/' }, '/destination/blob_url', 'invalid_format'],
    ['gcp_storage', {}, '/destination/bucket_name', 'required'],
    ['dummy', { region: 'eu-central-1' }, '/destination/region', 'unknown_member'],
  ])(
    'are rejected if they do not fit its type %s: %j is reported only at %s',
    async (type, destination, pointer, code) => {
      const reply = await own.call('POST', path, { name: 'S', type, destination });
      expect(reply.status).toBe(422);
      expect(reply.json.errors).toEqual([{ pointer, code, detail: expect.any(String) }]);
    },
  );

  it('must fit the stored type if only one of them changes', async () => {
    const { external_storage_id } = await make();
    const change = (body: object) => own.call('PATCH', `${path}/${external_storage_id}`, body);
    const region = await change({ destination: { bucket_name: 'archive', region: 'eu-central-1' } });
    expect(region.json.errors).toMatchObject([
      { pointer: '/destination/blob_url', code: 'required' },
      { pointer: '/destination/bucket_name', code: 'unknown_member' },
      { pointer: '/destination/region', code: 'unknown_member' },
    ]);
    const type = await change({ type: 'gcp_storage' });
    expect(type.json.errors).toMatchObject([
      { pointer: '/destination/bucket_name', code: 'required' },
      { pointer: '/destination/blob_url', code: 'unknown_member' },
      { pointer: '/authentication_data/credentials', code: 'required' },
      { pointer: '/authentication_data/sas_token', code: 'unknown_member' },
    ]);
    const both = { type: 'gcp_storage', destination: { bucket_name: 'archive' }, authentication_data: null };
    expect((await change(both)).json).toMatchObject({ type: 'gcp_storage', authentication_fields: [] });
  });

  it.each([
    ['kinora/{asset_id}/{asset_external_id}.{video_clip_id}', 201],
    ['{language}/{asset_id}.{format}', 201],
    ['{asset_id}{language}', 422],
    ['a/./b', 422],
    ['a\u009bb', 422],
    ['{nothing}/x', 422],
    ['/absolute', 422],
    ['a/../../b', 422],
    ['..', 422],
    ['a..b/c', 201],
    ['arch//2026/{asset_id}', 422],
    ['.../v1./{asset_id}', 422],
    ['   ', 422],
    ['a/ {asset_id}', 422],
    ['\u202efdp/{asset_id}', 422],
  ])('may have the export_path %s: status %i', async (export_path, status) => {
    expect((await own.call('POST', path, { name: 'S', type: 'dummy', export_path })).status).toBe(status);
  });
});

describe('a storage of S3', () => {
  const s3 = {
    type: 'aws_s3',
    destination: { bucket_name: 'archive', region: 'eu-central-1' },
    authentication_data: { iam_role_arn: 'arn:aws:iam::123456789012:role/kinora' },
  };
  const accessOf = async (tenant: Tenant, more: object = {}) =>
    (await make(tenant, { name: 'S', ...s3, ...more })).aws_access;

  it('shows the policies of its role, ready to copy, with an external id of its own', async () => {
    const storage = await make(own, { name: 'S', ...s3, export_path: 'a/b/{asset_id}' });
    const external_id = `kinora:acme:${storage.external_storage_id}`;
    expect(storage.aws_access).toEqual({
      external_id,
      trust_policy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: 'arn:aws:iam::000000000000:root' },
            Action: 'sts:AssumeRole',
            Condition: { StringEquals: { 'sts:ExternalId': external_id } },
          },
        ],
      },
      permission_policy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'],
            Resource: 'arn:aws:s3:::archive/a/b/*',
          },
          {
            Effect: 'Allow',
            Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
            Resource: '*',
            Condition: { StringEquals: { 'kms:ViaService': 's3.eu-central-1.amazonaws.com' } },
          },
        ],
      },
    });
    const ids = [await accessOf(own), await accessOf(own), await accessOf(await api.tenant('other'))];
    expect(new Set(ids.map((access) => access.external_id)).size).toBe(3);
  });

  it.each([
    [null, 'archive/kinora/*'],
    ['x{asset_id}', 'archive/*'],
    ['a*/b/{asset_id}', 'archive/*'],
    // Characters that IAM rejects in policies.
    ['a/字幕/{asset_id}', 'archive/a/*'],
  ])('lists the permissions that the path %j needs', async (export_path, resource) => {
    const { permission_policy } = await accessOf(own, { export_path });
    expect(permission_policy.Statement[0].Resource).toBe(`arn:aws:s3:::${resource}`);
  });

  it('is the only type of storage with such policies', async () => {
    expect((await make()).aws_access).toBeNull();
    expect(await accessOf(own, { destination: undefined })).toBeNull();
  });
});

describe('the storages that operators see', () => {
  const operators = () => api.tenant('operator', ['admin:storages:read']);

  it('include those of all tenants, newest first, without credentials', async () => {
    const other = await api.tenant('other');
    const [first, second] = [await make(), await make(other)];
    const operator = await operators();
    const { json } = await operator.call('GET', '/v1/admin/external_storages?items=2');
    expect(json.data.map((item: Record<string, unknown>) => [item.external_storage_id, item.tenant])).toEqual(
      [
        [second.external_storage_id, 'other'],
        [first.external_storage_id, 'acme'],
      ],
    );
    expect(json.data[1]).toEqual({
      external_storage_id: first.external_storage_id,
      tenant: 'acme',
      name: 'Co…ve',
      type: 'azure',
      destination: { blob_url: 'ht…er' },
      authentication_fields: ['sas_token'],
      created_at: first.created_at,
      updated_at: first.updated_at,
    });
    const next = await operator.call('GET', `/v1/admin/external_storages?items=2&cursor=${json.next_cursor}`);
    expect(next.status).toBe(200);
  });

  it('show changes and deletions', async () => {
    const { external_storage_id } = await make();
    const operator = await operators();
    const read = () => operator.call('GET', `/v1/admin/external_storages/${external_storage_id}`);
    await own.call('PATCH', `${path}/${external_storage_id}`, { authentication_data: null });
    expect((await read()).json.authentication_fields).toEqual([]);
    await own.call('DELETE', `${path}/${external_storage_id}`);
    expect((await read()).status).toBe(404);
  });

  it('are read with an entry in the audit log', async () => {
    const { external_storage_id } = await make();
    const operator = await operators();
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await operator.call('GET', `/v1/admin/external_storages/${external_storage_id}`);
    const audits = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'audit');
    expect(audits).toMatchObject([
      {
        operation: 'getAdminExternalStorage',
        by_tenant: 'operator',
        external_storage_ids: [external_storage_id],
      },
    ]);
  });

  it('are never overwritten by another tenant', async () => {
    const { external_storage_id } = await make();
    const other = await api.tenant('other');
    const entry = { pk: 'ADMIN#external_storages', sk: external_storage_id };
    await expect(other.table.transact([{ announce: { ...entry, name: 'Mine' } }])).rejects.toThrow();
    await expect(other.table.transact([{ withdraw: entry }])).rejects.toThrow();
    await expect(other.table.transact([{ withdraw: { pk: 'T#acme#CFG#x', sk: 'y' } }])).rejects.toThrow(
      'admin',
    );
    const storages = new AdminStorages(new AdminTable(api.environment.client, 'Core'));
    expect((await storages.get(external_storage_id)).tenant).toBe('acme');
  });
});
