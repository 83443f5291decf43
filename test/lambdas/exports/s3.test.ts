import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSts } from '../../../local/sts/server.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { exportingOf } from '../../support/exporting.ts';
import { startTestApi } from '../../support/test-api.ts';

const account = '123456789012';
const region = 'us-east-1';
const role = `arn:aws:iam::${account}:role/kinora-export`;

let asset: AssetId;
let transcription: string;

const roles = await mkdtemp(join(tmpdir(), 'kinora-roles-'));
await mkdir(join(roles, account));
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const sts = await startSts({ port: 0, region, accountId: '000000000000', credentials, roles });
process.env.AWS_ENDPOINT_URL_STS = sts.url;
const api = await startTestApi();
const tenant = await api.tenant('exporter');

const exporting = exportingOf(tenant);
const s3 = new S3Client({ endpoint: api.s3.url, region, forcePathStyle: true, credentials });
await s3.send(new CreateBucketCommand({ Bucket: 'archive' }));

afterAll(async () => {
  await sts.close();
  await rm(roles, { recursive: true });
});

let access: Record<string, unknown>;
let storage: string;
beforeEach(async () => {
  asset = await tenant.readyAsset();
  transcription = await tenant.transcribed(asset, ['The house is red.']);
  storage = await storageAt('archive');
  await trust(access);
});

/** Creates the role with the policies that the storage shows. */
async function storageAt(bucket_name: string, more: object = {}): Promise<string> {
  const id = await exporting.storage({
    type: 'aws_s3',
    destination: { bucket_name, region, ...more },
    authentication_data: { iam_role_arn: role },
  });
  access = (await tenant.call('GET', `/v1/external_storages/${id}`)).json.aws_access;
  return id;
}

const trust = (policies: object) =>
  writeFile(join(roles, account, 'kinora-export.json'), JSON.stringify(policies));

const at = () => `/v1/assets/${asset}/transcriptions/${transcription}`;
const ask = async (body: object = {}) =>
  (await tenant.call('POST', `${at()}/vtt/export`, { external_storage_id: storage, ...body })).json;
const exported = async (body: object = {}) => exporting.done(await ask(body));
const inBucket = async (Key: string) =>
  (await s3.send(new GetObjectCommand({ Bucket: 'archive', Key }))).Body!.transformToString();

/** Creates another version of the transcription. */
async function edit(): Promise<void> {
  const [{ segment_id }] = (await tenant.call('GET', at())).json.segments;
  await tenant.call('PATCH', `${at()}/segments/${segment_id}`, { text: 'Blue.' });
}

const uploads = async () =>
  (await s3.send(new ListMultipartUploadsCommand({ Bucket: 'archive' }))).Uploads ?? [];

const twoParts = Buffer.alloc(20 * 1024 * 1024, 'kinora ');

/** An export of so many bytes that was ended between its parts, and how many were sent of them since. */
async function killedAtSecondPart() {
  const job = await ask();
  await exporting.run('render-export', job);
  const snapshot = `t/exporter/assets/${asset}/derived/export/${job.job_id}/file`;
  await tenant.objects.write(snapshot, twoParts, 'text/vtt');
  let sent = 0;
  S3Client.prototype.send = function (this: S3Client, ...given: unknown[]) {
    const isPart = given[0] instanceof UploadPartCommand;
    if (isPart) sent += 1;
    if (isPart && sent === 2) throw new Error('killed');
    return realSend.call(this, ...given);
  } as never;
  await expect(exporting.run('write-export', job)).rejects.toThrow('killed');
  return { job, sent: () => sent };
}

const realSend = S3Client.prototype.send as (this: S3Client, ...given: unknown[]) => Promise<object>;
afterEach(() => {
  S3Client.prototype.send = realSend as never;
});

describe('an export to S3', () => {
  it('writes the file with the role of the tenant, and reports what S3 compared', async () => {
    const { path, result } = await exported();
    const answered = await tenant.call('GET', `${at()}/vtt`);
    expect(await inBucket(path)).toBe(answered.text);
    expect(result).toMatchObject({
      path,
      location: `s3://archive/${path}`,
      size_bytes: answered.bytes.length,
      confirmed: {
        algorithm: 'SHA256',
        of: 'file',
        value: Buffer.from(result.sha256, 'hex').toString('base64'),
      },
    });
    const head = await s3.send(new HeadObjectCommand({ Bucket: 'archive', Key: path }));
    expect(head.ContentType).toBe('text/vtt; charset=utf-8');
  });

  it('replaces an earlier export of the same resource, and changes nothing if the file is the same', async () => {
    const first = await exported();
    const { LastModified, ETag } = await s3.send(
      new HeadObjectCommand({ Bucket: 'archive', Key: first.path }),
    );
    expect((await exported()).result).toEqual(first.result);
    expect(await s3.send(new HeadObjectCommand({ Bucket: 'archive', Key: first.path }))).toMatchObject({
      LastModified,
      ETag,
    });
    await edit();
    const second = await exported();
    expect(second).toMatchObject({ status: 'succeeded', version: 2, path: first.path });
    expect(await inBucket(first.path)).toContain('Blue.');
  });

  it('of an earlier version or job does not overwrite the file of a later one', async () => {
    const waiting = await ask();
    await exporting.run('render-export', waiting);
    await edit();
    const { path } = await exported();
    expect(await exporting.done(waiting)).toMatchObject({
      status: 'failed',
      error: { code: 'storage_object_exists', detail: expect.stringContaining('newer') },
    });
    expect(await inBucket(path)).toContain('Blue.');
  });

  it('keeps an object of another origin, unless `overwrite` is set', async () => {
    const Key = `kinora/${asset}/en.vtt`;
    await s3.send(new PutObjectCommand({ Bucket: 'archive', Key, Body: 'Somebody else' }));
    expect((await exported()).error).toMatchObject({ code: 'storage_object_exists' });
    expect(await inBucket(Key)).toBe('Somebody else');
    expect((await exported({ overwrite: true })).status).toBe('succeeded');
    expect(await inBucket(Key)).toMatch(/^WEBVTT/);
  });

  it('also keeps it if the role may not read it', async () => {
    const { permission_policy } = structuredClone(access) as {
      permission_policy: { Statement: { Action: string[] }[] };
    };
    permission_policy.Statement[0]!.Action = ['s3:PutObject'];
    await trust({ ...access, permission_policy });
    expect((await exported()).status).toBe('succeeded');
    await edit();
    expect((await exported()).error).toMatchObject({
      code: 'storage_object_exists',
      detail: expect.stringContaining('allow Kinora to read'),
    });
  });

  it('continues after the parts that S3 has, and ends with the checksum that S3 compared', async () => {
    const { job, sent } = await killedAtSecondPart();
    const done = await exporting.done(job);
    expect(sent()).toBe(3);
    expect(done.result).toMatchObject({
      size_bytes: twoParts.length,
      confirmed: { algorithm: 'CRC32', of: 'file' },
    });
    expect(Buffer.from(await inBucket(job.path)).equals(twoParts)).toBe(true);
  });

  it('fails if a part changes in the second upload too, reports the reason, and leaves no upload', async () => {
    const { job } = await killedAtSecondPart();
    S3Client.prototype.send = function (this: S3Client, ...given: unknown[]) {
      const [command] = given;
      if (command instanceof CompleteMultipartUploadCommand)
        command.input.MultipartUpload!.Parts![0]!.ETag = '"another"';
      return realSend.call(this, ...given);
    } as never;
    await expect(exporting.run('write-export', job)).rejects.toMatchObject({ name: 'provider_given_up' });
    expect(await uploads()).toHaveLength(1);
    expect(await exporting.done(job)).toMatchObject({
      status: 'failed',
      error: {
        ...{ code: 'provider_unavailable', retryable: true },
        detail: expect.stringMatching(/twice: S3 says InvalidPart\. Create the job again later\.$/),
      },
    });
    expect(await uploads()).toEqual([]);
  });

  it('of an asset that is deleted leaves no parts in the bucket', async () => {
    const { job } = await killedAtSecondPart();
    expect(await uploads()).toHaveLength(1);
    await tenant.call('DELETE', `/v1/assets/${asset}`);
    const { handler } = (await import('../../../lambdas/assets/steps/remove-media.ts')) as {
      handler: (input: object, context: object) => Promise<object>;
    };
    const removed = await handler({ tenant: tenant.id, asset_id: asset }, {});
    expect(removed).toEqual({ exports: [job.job_id], quiet: true });
    await exporting.run('clear-export', job);
    expect(await uploads()).toEqual([]);
  });
});

describe('an export to S3 fails, and says what to do,', () => {
  const failure = async () => (await exported()).error;
  const withoutCondition = {
    ...{ Effect: 'Allow', Action: 'sts:AssumeRole' },
    Principal: { AWS: 'arn:aws:iam::000000000000:root' },
  };

  it.each([
    // Any tenant could then use it.
    [
      'trusts Kinora without an external id',
      { trust_policy: { Statement: [withoutCondition] } },
      'without an external id',
    ],
    [
      'does not trust Kinora with the external id of the storage',
      { trust_policy: { Statement: [] } },
      'kinora:exporter:',
    ],
    ['may not write', { permission_policy: { Statement: [] } }, 'permission_policy'],
  ])('if the role %s', async (_, policies, detail) => {
    await trust({ ...access, ...policies });
    expect(await failure()).toMatchObject({
      code: 'storage_access_denied',
      detail: expect.stringContaining(detail),
    });
  });

  it('if another storage of the tenant uses the same role', async () => {
    await storageAt('archive');
    const own = storage;
    storage = await storageAt('archive');
    expect((await failure())?.code).toBe('storage_access_denied');
    storage = own;
    expect((await exported()).status).toBe('succeeded');
  });

  it('if the bucket does not exist or is in another region', async () => {
    storage = await storageAt('nothing');
    await trust(access);
    expect(await failure()).toMatchObject({
      code: 'storage_not_found',
      detail: expect.stringContaining('no bucket nothing'),
    });
    storage = await storageAt('archive', { region: 'eu-west-1' });
    await trust(access);
    expect(await failure()).toMatchObject({
      code: 'storage_not_found',
      detail: expect.stringContaining('us-east-1'),
    });
  });

  it("if the bucket is Kinora's own, even if the role may write", async () => {
    storage = await storageAt('media');
    await trust(access);
    expect(await failure()).toMatchObject({
      code: 'storage_access_denied',
      detail: expect.stringContaining('yours'),
    });
  });
});
