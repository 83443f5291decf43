import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Storage } from '../../../engines/exporting/port.ts';
import { storages } from '../../../engines/exporting/storages.ts';
import { type Azurite, startAzurite } from '../../support/azurite.ts';
import { startReceiver } from '../../support/receiver.ts';
import { fileOf, large, small, writing } from './writing.ts';

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
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ name, message }: Error) => ({ code: name, detail: message }),
  );

describe('an export to Azure', () => {
  it('writes a block blob that Azure compared with its MD5, under a name that needs escaping', async () => {
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

  it('has Azure compare what arrives with its MD5', async () => {
    const missing = { status: 404, headers: { 'x-ms-error-code': 'BlobNotFound' } };
    const receiver = await startReceiver(missing, { status: 201 });
    await write(fileOf(small), storageAt(receiver.url, 'sig=1'));
    const [, put] = receiver.received;
    expect([put!.method, put!.headers['x-ms-blob-content-md5']]).toEqual([
      'PUT',
      createHash('md5').update(small).digest('base64'),
    ]);
    await receiver.close();
  });

  it('takes the place of an earlier one of the same, and leaves what is not its own', async () => {
    const path = 'own.vtt';
    await write(fileOf(small, { path }));
    await write(fileOf(Buffer.from('WEBVTT\n'), { path }));
    expect((await azurite.get(path)).body).toBe('WEBVTT\n');
    const other = fileOf(small, { path, made_of: 'another/thing/vtt' });
    expect(await refusal(write(other))).toMatchObject({ code: 'storage_object_exists' });
    await write(other, storage(), { overwrite: true });
    expect((await azurite.get(path)).body).toBe(small.toString());
  });

  it('leaves a newer one of the same, also where it is told to overwrite', async () => {
    const path = 'newer.vtt';
    const [older, newer] = [
      fileOf(Buffer.from('WEBVTT\n'), { path }),
      fileOf(small, { path, edition: { version: 2, job_id: '0' } }),
    ];
    await write(newer);
    expect(await refusal(write(older, storage(), { overwrite: true }))).toMatchObject({
      code: 'storage_object_exists',
      detail: expect.stringContaining('newer'),
    });
    expect((await azurite.get(path)).body).toBe(String(small));
  });

  it('leaves it, too, with a signature that may not read', async () => {
    const path = 'unread.vtt';
    expect(await write(fileOf(small, { path }), storage('cw'))).not.toBeNull();
    expect(await refusal(write(fileOf(small, { path }), storage('cw')))).toMatchObject({
      code: 'storage_object_exists',
      detail: expect.stringContaining('allow it to read'),
    });
  });

  it('goes up in blocks where it is large, and on with those that are there', async () => {
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

describe('an export to Azure of which blocks are gone', () => {
  /** Sent in part, then written by another in blocks of its own: Azure keeps no others. */
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

  it('sends all of them once more', async () => {
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

  it('fails for good where they were sent once more already', async () => {
    const resume = { ...(await interrupted('lost.vtt')), again: true as const };
    const { given } = writing({ resume });
    const outcome = await refusal(writer.write(fileOf(large, { path: 'lost.vtt' }), storage(), given));
    expect(outcome).toMatchObject({
      code: 'provider_given_up',
      detail: expect.stringContaining('InvalidBlockList'),
    });
  });
});

describe('an export to Azure fails, and says what to do', () => {
  it.each<[string, () => Storage, string, string]>([
    [
      'where the signature has expired',
      () => storageAt(azurite.blob_url, azurite.sas('rcw', new Date('2026-01-02T03:04:05Z'))),
      'storage_access_denied',
      'expired at 2026-01-02T03:04:05.000Z',
    ],
    [
      'where the signature is of another key',
      () => storageAt(azurite.blob_url, azurite.sas('rcw').replace(/sig=.{5}/, 'sig=AAAAA')),
      'storage_access_denied',
      // Azure says AuthenticationFailed, Azurite AuthorizationFailure.
      'shared access signature',
    ],
    ['where the signature may only read', () => storage('r'), 'storage_access_denied', 'create and write'],
    [
      'where there is no such host',
      () => storageAt('https://account.blob.invalid/container', 'sig=1'),
      'storage_not_found',
      'no host account.blob.invalid',
    ],
  ])('%s', async (_, to, code, detail) => {
    const file = fileOf(small, { path: 'refused.vtt' });
    expect(await refusal(write(file, to()))).toEqual({ code, detail: expect.stringContaining(detail) });
  });
});

describe('an export to Azure that is answered', () => {
  it.each<[string, number, Readonly<Record<string, string>>, string]>([
    ['that the account is asked too much', 503, { 'x-ms-error-code': 'ServerBusy' }, 'provider_throttled'],
    ['that requests are too many', 429, {}, 'provider_throttled'],
    ['that it failed by itself', 500, { 'x-ms-error-code': 'InternalError' }, 'provider_unavailable'],
    ['that the bytes are others', 400, { 'x-ms-error-code': 'Md5Mismatch' }, 'provider_unavailable'],
    [
      'that a lease is held on the blob',
      412,
      { 'x-ms-error-code': 'LeaseIdMissing' },
      'storage_access_denied',
    ],
    ['that the blob stays', 409, { 'x-ms-error-code': 'BlobImmutableDueToPolicy' }, 'storage_access_denied'],
    ['with where to go instead', 307, { location: 'https://blob.invalid/' }, 'storage_access_denied'],
    ['by somebody else', 200, {}, 'storage_object_exists'],
  ])('%s (%i) fails under the name of that', async (_, status, headers, code) => {
    const receiver = await startReceiver({ status, headers });
    expect(await refusal(write(fileOf(small), storageAt(receiver.url, 'sig=1')))).toMatchObject({ code });
    await receiver.close();
  });
});

describe('an export to Azure goes', () => {
  const guarded = storages.make({
    ...context,
    allows: (address) => address !== '127.0.0.1' && address !== '::1',
    settings,
  }) as ReturnType<typeof storages.make>;

  it.each(['127.0.0.1', 'localhost'])('to no address that is not public: %s', async (host) => {
    const receiver = await startReceiver();
    const to = storageAt(receiver.url.replace('127.0.0.1', host), 'sig=1');
    expect(await refusal(guarded.write(fileOf(small), to, writing().given))).toMatchObject({
      code: 'storage_access_denied',
      detail: expect.stringContaining('public internet'),
    });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  it('where it is answered in the time that there is, and is not asked again by what was waited for in vain', async () => {
    const receiver = await startReceiver({ status: 201, after: 5000 });
    const asking = write(fileOf(small), storageAt(receiver.url, 'sig=1'), {
      deadline: performance.now() + 300,
    });
    expect(await refusal(asking)).toMatchObject({
      code: 'provider_unavailable',
      detail: expect.stringContaining('ETIMEDOUT'),
    });
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  it('to no redirect target, on another host or on the same', async () => {
    const elsewhere = await startReceiver({ status: 201 });
    for (const location of [elsewhere.url, '/other']) {
      const receiver = await startReceiver({ status: 307, headers: { location } });
      expect(await refusal(write(fileOf(small), storageAt(receiver.url, 'sig=1')))).not.toBeNull();
      expect(receiver.received).toHaveLength(1);
      await receiver.close();
    }
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('through no proxy that the environment names', async () => {
    const proxy = await startReceiver({ status: 201 });
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.url);
    expect(await write(fileOf(small, { path: 'direct.vtt' }))).not.toBeNull();
    vi.unstubAllEnvs();
    expect(proxy.received).toEqual([]);
    await proxy.close();
  });

  it('no further when the export is canceled during a request', async () => {
    const receiver = await startReceiver({ status: 201, after: 5000 });
    const canceling = new AbortController();
    const writes = write(fileOf(small), storageAt(receiver.url, 'sig=1'), { signal: canceling.signal });
    setTimeout(() => canceling.abort(new Error('canceled')), 100);
    await expect(writes).rejects.toThrow('canceled');
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });
});
