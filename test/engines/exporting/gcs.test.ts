import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Resume, Storage, StorageWriter } from '../../../engines/exporting/port.ts';
import { storages } from '../../../engines/exporting/storages.ts';
import { type Gcs, startGcs } from '../../support/gcs.ts';
import { fileOf, large, receiving, refusal, replacesOnlyItsOwn, small, writing } from './writing.ts';

let gcs: Gcs;
beforeAll(async () => {
  gcs = await startGcs();
});
afterEach(() => {
  for (const name of ['create', 'get', 'delete']) gcs.permissions.add(`storage.objects.${name}`);
  Object.assign(gcs.faults, { spoils: 0, corrupts: false, answers: null });
});
afterAll(() => gcs.close());

const writerWith = (
  allows: (address: string) => boolean,
  schemes = ['https', 'http'],
  GCS_URL = gcs.origin,
) => {
  const settings = { EXPORT_ACCOUNT: '', GCS_URL };
  return storages.make({ allows, ownBuckets: [], pathStyle: true, schemes, settings }) as StorageWriter;
};

const storage = (credentials: object = {}, bucket_name = 'archive'): Storage => ({
  type: 'gcp_storage',
  destination: { bucket_name },
  authentication: { credentials: { ...gcs.credentials, ...credentials } },
  external_id: '',
});
const write = (file = fileOf(small), to = storage(), more = {}) =>
  writerWith(() => true).write(file, to, writing(more).given);
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64');

describe('an export to Google Cloud Storage', () => {
  it('writes the object and confirms its MD5', async () => {
    const file = fileOf(small);
    const written = await write(file);
    expect(written).toMatchObject({
      location: 'gs://archive/kinora/Folge%207/%C3%A9.vtt',
      size_bytes: small.length,
      confirmed: { algorithm: 'MD5', of: 'file', value: md5(small) },
    });
    expect(gcs.objects.get(file.path)).toMatchObject({ bytes: small, contentType: file.content_type });
    const { generation } = gcs.objects.get(file.path)!;
    expect(await write(file)).toEqual(written);
    expect(gcs.objects.get(file.path)!.generation).toBe(generation);
  });

  replacesOnlyItsOwn(
    (file, more) => write(file, storage(), more),
    async (path) => String(gcs.objects.get(path)?.bytes),
  );

  it('sends a large file in a session, and continues the session if Google stored less than was sent', async () => {
    const path = 'large.vtt';
    const first = writing();
    let parts = 0;
    const stopping = {
      ...first.given,
      onProgress: () => {
        parts += 1;
        throw new Error('killed');
      },
    };
    gcs.faults.keepsOnly = 5 * 256 * 1024;
    const writer = writerWith(() => true);
    await expect(writer.write(fileOf(large, { path }), storage(), stopping)).rejects.toThrow('killed');
    expect(parts).toBe(1);
    const resume = first.remembered.at(-1)!;
    expect(resume.receipts).toHaveLength(1);
    const before = gcs.requests.filter((line) => line.startsWith('POST /upload')).length;
    const written = await writer.write(fileOf(large, { path }), storage(), writing({ resume }).given);
    expect(written).toMatchObject({ confirmed: { algorithm: 'MD5', value: md5(large) } });
    expect(gcs.objects.get(path)!.bytes.equals(large)).toBe(true);
    expect(gcs.requests.filter((line) => line.startsWith('POST /upload')).length).toBe(before);
  });

  it.each<[string, (path: string, resume: Resume) => Promise<unknown>]>([
    ['the object changed since the session started', (path) => write(fileOf(small, { path }))],
    [
      'the session no longer exists',
      (path, resume) => writerWith(() => true).abandon(path, storage(), resume, new AbortController().signal),
    ],
  ])('starts another session if %s', async (_, meanwhile) => {
    const file = fileOf(large, { path: 'again.vtt' });
    const { given, remembered } = writing({ until: 0 });
    const writer = writerWith(() => true);
    expect(await writer.write(file, storage(), given)).toBeNull();
    const resume = remembered.at(-1)!;
    await meanwhile(file.path, resume);
    const written = await writer.write(file, storage(), writing({ resume }).given);
    expect(written).toMatchObject({ confirmed: { value: md5(large) } });
    expect(gcs.objects.get(file.path)!.bytes.equals(large)).toBe(true);
    gcs.objects.delete(file.path);
  });

  it('starts another session if Google has other bytes than were sent', async () => {
    const path = 'spoilt.vtt';
    gcs.faults.spoils = 1;
    const { given, remembered } = writing();
    const written = await writerWith(() => true).write(fileOf(large, { path }), storage(), given);
    expect(written).toMatchObject({ confirmed: { value: md5(large) } });
    expect(gcs.objects.get(path)!.bytes.equals(large)).toBe(true);
    expect(new Set(remembered.map(({ upload }) => upload)).size).toBe(2);
  });

  it.each([
    ['refuses the bytes of two sessions', { spoils: 2 }, 'Google answers with status 400 (invalid)'],
    ['has another checksum after two sessions', { corrupts: true }, 'checksum'],
  ])('fails without a retry if Google %s', async (_, faults, said) => {
    Object.assign(gcs.faults, faults);
    const { given, remembered } = writing();
    const file = fileOf(large, { path: 'twice.vtt' });
    const outcome = await refusal(writerWith(() => true).write(file, storage(), given));
    expect(outcome).toMatchObject({ code: 'provider_given_up', detail: expect.stringContaining(said) });
    expect(new Set(remembered.map(({ upload }) => upload)).size).toBe(2);
  });

  it('fails if Google reports another checksum', async () => {
    gcs.faults.corrupts = true;
    const outcome = await refusal(write(fileOf(small, { path: 'corrupt.vtt' })));
    expect(outcome).toMatchObject({
      code: 'provider_unavailable',
      detail: expect.stringContaining('checksum'),
    });
  });
});

describe('an export to Google Cloud Storage fails with advice', () => {
  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

  it.each<[string, () => Storage, string, string]>([
    [
      'if the key does not belong to the account',
      () => storage({ private_key: another.export({ type: 'pkcs8', format: 'pem' }) }),
      'storage_access_denied',
      'invalid_grant',
    ],
    ['if the key is not a key', () => storage({ private_key: 'k' }), 'storage_access_denied', 'an RSA key'],
    ['if the bucket does not exist', () => storage({}, 'nothing'), 'storage_not_found', 'no bucket nothing'],
  ])('%s', async (_, to, code, detail) => {
    const file = fileOf(small, { path: 'refused.vtt' });
    expect(await refusal(write(file, to()))).toEqual({ code, detail: expect.stringContaining(detail) });
  });

  it('if the account lacks a permission, and names it', async () => {
    gcs.permissions.delete('storage.objects.create');
    expect(await refusal(write(fileOf(small, { path: 'x' })))).toMatchObject({
      code: 'storage_access_denied',
      detail: expect.stringContaining('storage.objects.create'),
    });
  });

  it('if the account may not read the existing object', async () => {
    await write(fileOf(small, { path: 'unread' }));
    gcs.permissions.delete('storage.objects.get');
    expect(await refusal(write(fileOf(small, { path: 'unread' })))).toMatchObject({
      code: 'storage_object_exists',
    });
  });
});

describe('an error of Google Cloud Storage', () => {
  // The time limit leaves no time for a retry.
  const once = () => ({ deadline: performance.now() + 500 });

  it.each([
    [429, 'provider_throttled'],
    [503, 'provider_unavailable'],
  ])('%i becomes %s, for tokens and for files', async (status, code) => {
    const receiver = await receiving({ status });
    const token_uri = receiver.url;
    expect(await refusal(write(fileOf(small), storage({ token_uri }), once()))).toMatchObject({ code });
    gcs.faults.answers = status;
    const outcome = await refusal(write(fileOf(small, { path: 'answered.vtt' }), storage(), once()));
    expect(outcome).toMatchObject({ code });
  });

  it.each([400, 405, 413])('%i ends the export without a retry', async (status) => {
    gcs.faults.answers = status;
    const outcome = await refusal(write(fileOf(small, { path: 'refused.vtt' }), storage()));
    expect(outcome).toMatchObject({
      code: 'storage_access_denied',
      detail: expect.stringContaining(`status ${status}`),
    });
  });

  it('for a canceled session starts another session', async () => {
    const receiver = await receiving({ status: 404 });
    const session = { status: 200, headers: { location: `${receiver.url}/session` } };
    const none = { status: 404 };
    receiver.answer(none, session, { status: 499 }, none, { status: 413 });
    const other = writerWith(() => true, ['http'], receiver.url);
    const outcome = await refusal(other.write(fileOf(large), storage(), writing().given));
    expect(outcome).toMatchObject({ detail: expect.stringContaining('status 413') });
  });

  it('becomes provider_unavailable if the answer is not an object', async () => {
    const receiver = await receiving({ status: 200 });
    const other = writerWith(() => true, ['http'], receiver.url);
    expect(await refusal(other.write(fileOf(small), storage(), writing().given))).toMatchObject({
      code: 'provider_unavailable',
    });
  });
});

describe('`token_uri` of the credentials', () => {
  it('must not be a private address', async () => {
    const guarded = writerWith((address) => address !== '127.0.0.1');
    const before = gcs.requests.length;
    expect(await refusal(guarded.write(fileOf(small), storage(), writing().given))).toMatchObject({
      code: 'storage_access_denied',
      detail: expect.stringContaining('public internet'),
    });
    expect(gcs.requests.length).toBe(before);
  });

  it.each(['http://oauth2.googleapis.com/token', 'file:///etc/passwd', 'nothing'])(
    'must be https: no request goes to %s',
    async (token_uri) => {
      const strict = writerWith(() => true, ['https']);
      expect(
        await refusal(strict.write(fileOf(small), storage({ token_uri }), writing().given)),
      ).toMatchObject({ code: 'storage_access_denied', detail: expect.stringContaining('token_uri') });
    },
  );
});
