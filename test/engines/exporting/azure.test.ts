import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Storage } from '../../../engines/exporting/port.ts';
import { storages } from '../../../engines/exporting/storages.ts';
import { type Azurite, startAzurite } from '../../support/azurite.ts';
import { fileOf, large, receiving, refusal, replacesOnlyItsOwn, small, writing } from './writing.ts';

let azurite: Azurite;
beforeAll(async () => {
  azurite = await startAzurite();
});
afterAll(() => azurite.close());

const context = { ownBuckets: [], pathStyle: true, schemes: ['https'] };
const settings = { EXPORT_ACCOUNT: '000000000000', GCS_URL: 'https://nowhere.example' };
const writer = storages.make({ ...context, allows: () => true, settings }) as ReturnType<
  typeof storages.make
>;

const storageAt = (blob_url: string, sas_token: string): Storage => ({
  type: 'azure',
  destination: { blob_url },
  authentication: { sas_token },
  external_id: '',
});
const storage = (permissions = 'rcw') => storageAt(azurite.blob_url, azurite.sas(permissions));
const write = (file = fileOf(small), to = storage(), more = {}) =>
  writer.write(file, to, writing(more).given);

describe('an export to Azure', () => {
  it('writes a block blob under a name that needs escaping, and confirms its MD5', async () => {
    const written = await write();
    expect(written).toMatchObject({
      location: `${azurite.blob_url}/kinora/Folge%207/%C3%A9.vtt`,
      size_bytes: small.length,
      sha256: createHash('sha256').update(small).digest('hex'),
      confirmed: { algorithm: 'MD5', of: 'file', value: createHash('md5').update(small).digest('base64') },
    });
    const blob = await azurite.get('kinora/Folge 7/é.vtt');
    expect([blob.body, blob.headers['content-type']]).toEqual([small.toString(), 'text/vtt; charset=utf-8']);
    expect(await write()).toEqual(written);
  });

  it('sends the MD5 that Azure compares with the bytes', async () => {
    const missing = { status: 404, headers: { 'x-ms-error-code': 'BlobNotFound' } };
    const receiver = await receiving(missing, { status: 201 });
    await write(fileOf(small), storageAt(receiver.url, 'sig=1'));
    const [, put] = receiver.received;
    expect([put!.method, put!.headers['x-ms-blob-content-md5']]).toEqual([
      'PUT',
      createHash('md5').update(small).digest('base64'),
    ]);
  });

  replacesOnlyItsOwn(
    (file, more) => write(file, storage(), more),
    async (path) => (await azurite.get(path)).body,
  );

  it('does not replace an object that the signature does not allow it to read', async () => {
    const path = 'unread.vtt';
    expect(await write(fileOf(small, { path }), storage('cw'))).not.toBeNull();
    expect(await refusal(write(fileOf(small, { path }), storage('cw')))).toMatchObject({
      code: 'storage_object_exists',
      detail: expect.stringContaining('allow Kinora to read'),
    });
  });

  it('sends a large file in blocks, and continues after the stored blocks', async () => {
    const path = 'large.vtt';
    const first = writing({ until: 0 });
    expect(await writer.write(fileOf(large, { path }), storage(), first.given)).toBeNull();
    const later = writing();
    const stopped = { ...later.given, until: performance.now() + 1e9, resume: first.remembered.at(-1)! };
    const written = await writer.write(fileOf(large, { path }), storage(), stopped);
    expect(written).toMatchObject({
      size_bytes: large.length,
      confirmed: { algorithm: 'MD5', of: 'parts', value: null },
    });
    expect(later.remembered.map(({ receipts }) => receipts.length)).toEqual([1, 2]);
    const { headers } = await azurite.get(path);
    expect(headers['content-length']).toBe(String(large.length));
    const again = writing({ resume: { ...later.remembered[0]! } });
    expect(await writer.write(fileOf(large, { path }), storage(), again.given)).toMatchObject({
      sha256: written!.sha256,
      confirmed: written!.confirmed,
    });
    expect(again.remembered).toEqual([]);
  });
});

describe('an export to Azure whose blocks were removed', () => {
  /** An upload stops after some blocks. Then another upload writes the blob, and Azure removes these blocks. */
  const interrupted = async (path: string) => {
    await write(fileOf(small, { path }));
    const first = writing();
    const stopping = {
      ...first.given,
      onProgress: () => {
        throw new Error('killed');
      },
    };
    await expect(writer.write(fileOf(large, { path }), storage(), stopping)).rejects.toThrow('killed');
    await write(fileOf(Buffer.alloc(9 << 20, 'Another. '), { path }));
    return first.remembered.at(-1)!;
  };

  it('sends all blocks again', async () => {
    const resume = await interrupted('gone.vtt');
    const { given, remembered } = writing({ resume });
    const written = await writer.write(fileOf(large, { path: 'gone.vtt' }), storage(), given);
    expect(written).toMatchObject({ size_bytes: large.length, confirmed: { of: 'parts' } });
    expect(remembered.map(({ receipts, again }) => [receipts.length, again])).toEqual([
      [2, undefined],
      [0, true],
      [1, true],
      [2, true],
    ]);
    expect((await azurite.get('gone.vtt')).headers['content-length']).toBe(String(large.length));
  });

  it('fails without a retry if all blocks were already sent again', async () => {
    const resume = { ...(await interrupted('lost.vtt')), again: true as const };
    const { given } = writing({ resume });
    const outcome = await refusal(writer.write(fileOf(large, { path: 'lost.vtt' }), storage(), given));
    expect(outcome).toMatchObject({
      code: 'provider_given_up',
      detail: expect.stringContaining('InvalidBlockList'),
    });
  });
});

describe('an export to Azure fails with advice', () => {
  it.each<[string, () => Storage, string, string]>([
    [
      'if the signature has expired',
      () => storageAt(azurite.blob_url, azurite.sas('rcw', new Date('2026-01-02T03:04:05Z'))),
      'storage_access_denied',
      'expired at 2026-01-02T03:04:05.000Z',
    ],
    [
      'if another key made the signature',
      () => storageAt(azurite.blob_url, azurite.sas('rcw').replace(/sig=.{5}/, 'sig=AAAAA')),
      'storage_access_denied',
      // Azure answers AuthenticationFailed, Azurite AuthorizationFailure.
      'shared access signature',
    ],
    ['if the signature only allows reading', () => storage('r'), 'storage_access_denied', 'create and write'],
    [
      'if the host does not exist',
      () => storageAt('https://account.blob.invalid/container', 'sig=1'),
      'storage_not_found',
      'account.blob.invalid has no address',
    ],
  ])('%s', async (_, to, code, detail) => {
    const file = fileOf(small, { path: 'refused.vtt' });
    expect(await refusal(write(file, to()))).toEqual({ code, detail: expect.stringContaining(detail) });
  });
});

describe('an error of Azure', () => {
  it.each<[string, number, Readonly<Record<string, string>>, string]>([
    ['the account is busy', 503, { 'x-ms-error-code': 'ServerBusy' }, 'provider_throttled'],
    ['too many requests', 429, {}, 'provider_throttled'],
    ['an internal error', 500, { 'x-ms-error-code': 'InternalError' }, 'provider_unavailable'],
    ['other bytes', 400, { 'x-ms-error-code': 'Md5Mismatch' }, 'provider_unavailable'],
    ['a lease on the blob', 412, { 'x-ms-error-code': 'LeaseIdMissing' }, 'storage_access_denied'],
    ['an immutable blob', 409, { 'x-ms-error-code': 'BlobImmutableDueToPolicy' }, 'storage_access_denied'],
    ['a redirect', 307, { location: 'https://blob.invalid/' }, 'storage_access_denied'],
    ['an answer from another server', 200, {}, 'storage_object_exists'],
  ])('gets the matching error code: %s (%i)', async (_, status, headers, code) => {
    const receiver = await receiving({ status, headers });
    expect(await refusal(write(fileOf(small), storageAt(receiver.url, 'sig=1')))).toMatchObject({ code });
  });
});

describe('an export to Azure', () => {
  const guarded = storages.make({
    ...context,
    allows: (address) => address !== '127.0.0.1' && address !== '::1',
    settings,
  }) as ReturnType<typeof storages.make>;

  it.each([
    ['127.0.0.1', 'storage_access_denied'],
    // Like a name that does not exist, so that the error does not tell what the name resolves to.
    ['localhost', 'storage_not_found'],
  ])('does not connect to a private address: %s', async (host, code) => {
    const receiver = await receiving();
    const to = storageAt(receiver.url.replace('127.0.0.1', host), 'sig=1');
    expect(await refusal(guarded.write(fileOf(small), to, writing().given))).toMatchObject({
      code,
      detail: expect.stringContaining('public internet'),
    });
    expect(receiver.received).toEqual([]);
  });

  it('stops waiting at its deadline, and does not retry after it', async () => {
    const receiver = await receiving({ status: 201, after: 5000 });
    const asking = write(fileOf(small), storageAt(receiver.url, 'sig=1'), {
      deadline: performance.now() + 300,
    });
    expect(await refusal(asking)).toMatchObject({
      code: 'provider_unavailable',
      detail: expect.stringContaining('ETIMEDOUT'),
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('follows no redirect, either to another host or on the same host', async () => {
    const elsewhere = await receiving({ status: 201 });
    for (const location of [elsewhere.url, '/other']) {
      const receiver = await receiving({ status: 307, headers: { location } });
      expect(await refusal(write(fileOf(small), storageAt(receiver.url, 'sig=1')))).not.toBeNull();
      expect(receiver.received).toHaveLength(1);
    }
    expect(elsewhere.received).toEqual([]);
  });

  it('ignores proxies that the environment names', async () => {
    const proxy = await receiving({ status: 201 });
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.url);
    expect(await write(fileOf(small, { path: 'direct.vtt' }))).not.toBeNull();
    vi.unstubAllEnvs();
    expect(proxy.received).toEqual([]);
  });

  it('stops when the export is canceled during a request', async () => {
    const receiver = await receiving({ status: 201, after: 5000 });
    const canceling = new AbortController();
    const writes = write(fileOf(small), storageAt(receiver.url, 'sig=1'), { signal: canceling.signal });
    setTimeout(() => canceling.abort(new Error('canceled')), 100);
    await expect(writes).rejects.toThrow('canceled');
    expect(receiver.received).toHaveLength(1);
  });
});
