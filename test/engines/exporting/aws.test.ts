/** Tests answers that only AWS returns. Other behavior is tested against the local S3 and STS, in test/lambdas/exports. */
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient, STSServiceException } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { openS3, s3Object } from '../../../engines/exporting/aws.ts';
import { failureOfS3 } from '../../../engines/exporting/aws-failures.ts';
import { assumeTenantRole } from '../../../engines/exporting/aws-session.ts';
import { writeToStorage } from '../../../engines/exporting/write-file.ts';
import { fileOf, large, small, writing } from './writing.ts';

const sts = mockClient(STSClient);
const s3 = mockClient(S3Client);
beforeEach(() => {
  sts.reset();
  s3.reset();
});

const { signal } = new AbortController();
const assumed = {
  role: 'arn:aws:iam::123456789012:role/kinora',
  external_id: 'kinora:acme:1',
  bucket: 'archive',
  region: 'eu-central-1',
};
const refusedWith = (name: string) =>
  new STSServiceException({ name, $fault: 'client', $metadata: { httpStatusCode: 403 } });
const Credentials = {
  AccessKeyId: 'ASIA',
  SecretAccessKey: 's',
  SessionToken: 't',
  Expiration: new Date('2026-11-22T10:00:00Z'),
};
const session = () => assumeTenantRole(assumed, signal, new STSClient({}));

describe('a role', () => {
  it('is assumed with the external id for only one bucket, and is also tried without the id', async () => {
    sts.on(AssumeRoleCommand).rejects(refusedWith('AccessDenied'));
    sts.on(AssumeRoleCommand, { ExternalId: assumed.external_id }).resolves({ Credentials });
    expect(await session()).toEqual({ accessKeyId: 'ASIA', secretAccessKey: 's', sessionToken: 't' });
    const [first, second] = sts.calls().map(({ args }) => args[0].input as Record<string, string>);
    expect(JSON.parse(first!.Policy!).Statement[0]).toMatchObject({
      Action: ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'],
      Resource: 'arn:aws:s3:::archive/*',
    });
    expect(second).not.toHaveProperty('ExternalId');
  });

  it('is not used if STS cannot tell whether it requires an external id', async () => {
    sts.on(AssumeRoleCommand).rejects(refusedWith('Throttling'));
    sts.on(AssumeRoleCommand, { ExternalId: assumed.external_id }).resolves({ Credentials });
    await expect(session()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });
});

describe('an object', () => {
  const client = new S3Client({ region: 'eu-central-1' });
  const place = { bucket: 'archive', owner: '123456789012' };
  const writtenBy = (file = fileOf(small), given = writing().given) =>
    writeToStorage(s3Object(client, file, place, signal), file, given);
  const uploadsOf = (command: unknown) =>
    s3.commandCalls(command as typeof AbortMultipartUploadCommand).map(({ args }) => args[0].input.UploadId);

  it("is written only to a bucket of the role's account", async () => {
    s3.onAnyCommand().resolves({});
    await writtenBy(fileOf(small), writing({ overwrite: true }).given);
    const inputs = s3.calls().map(({ args }) => args[0].input as Record<string, unknown>);
    expect(inputs.length).toBeGreaterThan(1);
    for (const input of inputs) expect(input).toMatchObject({ ExpectedBucketOwner: '123456789012' });
  });

  const answered = (name: string, httpStatusCode: number) =>
    new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });
  /** Without permission to list, S3 answers 403 for a missing object. After the upload, it answers with the object. */
  const headsOf = (ContentLength: number) =>
    s3
      .on(HeadObjectCommand)
      .rejectsOnce(answered('Forbidden', 403))
      .callsFake(() => {
        const [put] = s3.commandCalls(PutObjectCommand);
        const { Metadata, ChecksumSHA256 } = put!.args[0].input;
        return { Metadata, ETag: '"1"', ContentLength, ChecksumSHA256 };
      });

  it('is recognized after a lost answer, even by a role that may not list', async () => {
    headsOf(small.length);
    s3.on(PutObjectCommand).rejects(answered('PreconditionFailed', 412));
    const [{ sha256, confirmed }] = [(await writtenBy())!];
    expect(confirmed).toEqual({
      algorithm: 'SHA256',
      of: 'file',
      value: Buffer.from(sha256, 'hex').toString('base64'),
    });
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(1);
  });

  it('is written again if its metadata match but its checksum does not', async () => {
    const file = fileOf(small);
    const Metadata = {
      'kinora-made-of': file.made_of,
      'kinora-sha256': createHash('sha256').update(small).digest('hex'),
    };
    s3.on(HeadObjectCommand).resolves({
      Metadata,
      ETag: '"1"',
      ContentLength: small.length,
      ChecksumSHA256: 'eA==',
    });
    s3.on(PutObjectCommand).resolves({});
    await writtenBy(file);
    expect(s3.commandCalls(PutObjectCommand)[0]!.args[0].input.IfMatch).toBe('"1"');
  });

  it('is created if it is deleted just before it is replaced', async () => {
    const Metadata = { 'kinora-made-of': fileOf(small).made_of };
    s3.on(HeadObjectCommand)
      .resolvesOnce({ Metadata, ETag: '"1"', ContentLength: 1 })
      .rejects(answered('NotFound', 404));
    s3.on(PutObjectCommand).rejectsOnce(answered('NoSuchKey', 404)).resolves({});
    expect(await writtenBy()).toMatchObject({ confirmed: { algorithm: 'SHA256' } });
    const conditions = s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
    expect(conditions.map(({ IfMatch, IfNoneMatch }) => IfMatch ?? IfNoneMatch)).toEqual(['"1"', '*']);
  });

  it('is written again after a conflict with another write, in one request or in parts', async () => {
    s3.on(HeadObjectCommand).rejects(answered('Forbidden', 403));
    s3.on(PutObjectCommand).rejectsOnce(answered('ConditionalRequestConflict', 409)).resolves({});
    expect(await writtenBy()).toMatchObject({ confirmed: { algorithm: 'SHA256' } });
    s3.on(CreateMultipartUploadCommand).resolvesOnce({ UploadId: 'first' }).resolves({ UploadId: 'second' });
    s3.on(UploadPartCommand).resolves({ ETag: '"1"' });
    s3.on(CompleteMultipartUploadCommand)
      .rejectsOnce(answered('ConditionalRequestConflict', 409))
      .resolves({});
    expect(await writtenBy(fileOf(large))).toMatchObject({ confirmed: { algorithm: 'CRC32' } });
    expect(uploadsOf(AbortMultipartUploadCommand)).toEqual(['first']);
    expect(uploadsOf(CompleteMultipartUploadCommand)).toEqual(['first', 'second']);
  });

  describe('with parts that S3 accepted and then rejects', () => {
    beforeEach(() => {
      s3.on(HeadObjectCommand).rejects(answered('NotFound', 404));
      s3.on(CreateMultipartUploadCommand)
        .resolvesOnce({ UploadId: 'first' })
        .resolves({ UploadId: 'second' });
      s3.on(UploadPartCommand).resolves({ ETag: '"1"' });
    });

    it('is sent again in another upload, and the first upload is removed', async () => {
      s3.on(CompleteMultipartUploadCommand).rejectsOnce(answered('InvalidPart', 400)).resolves({});
      const { given, remembered } = writing();
      expect(await writtenBy(fileOf(large), given)).toMatchObject({ confirmed: { algorithm: 'CRC32' } });
      expect(uploadsOf(AbortMultipartUploadCommand)).toEqual(['first']);
      expect(uploadsOf(UploadPartCommand)).toEqual(['first', 'first', 'second', 'second']);
      expect(uploadsOf(CompleteMultipartUploadCommand)).toEqual(['first', 'second']);
      expect(remembered.at(-1)).toMatchObject({ upload: 'second', again: true });
    });

    it("fails without a retry and with S3's error after the second rejection", async () => {
      s3.on(CompleteMultipartUploadCommand).rejects(answered('InvalidPart', 400));
      await expect(writtenBy(fileOf(large))).rejects.toMatchObject({
        name: 'provider_given_up',
        code: 'provider_unavailable',
        detail: expect.stringContaining('S3 says InvalidPart'),
      });
      expect(uploadsOf(CompleteMultipartUploadCommand)).toEqual(['first', 'second']);
    });

    it('fails if an earlier call started the second upload', async () => {
      s3.on(CompleteMultipartUploadCommand).rejects(answered('BadDigest', 400));
      const { given, remembered } = writing();
      await writtenBy(fileOf(large), given).catch(() => {});
      s3.resetHistory();
      const later = writing({ resume: remembered.at(-1)! });
      await expect(writtenBy(fileOf(large), later.given)).rejects.toMatchObject({
        name: 'provider_given_up',
      });
      expect(uploadsOf(CreateMultipartUploadCommand)).toEqual([]);
      expect(uploadsOf(CompleteMultipartUploadCommand)).toEqual(['second']);
    });

    it('is sent with checksums that are computed again', async () => {
      s3.on(CompleteMultipartUploadCommand).rejectsOnce(answered('BadDigest', 400)).resolves({});
      const digests = { sha256: '00', md5: 'AA==', crc32: 'AAAAAA==' };
      const given = writing({ resume: { digests, upload: 'earlier', receipts: [] } }).given;
      const sha256 = createHash('sha256').update(large).digest('hex');
      expect(await writtenBy(fileOf(large), given)).toMatchObject({ sha256 });
    });
  });

  it('is written, and its role assumed, by clients with time-outs', async () => {
    sts.on(AssumeRoleCommand).rejects(refusedWith('AccessDenied'));
    sts.on(AssumeRoleCommand, { ExternalId: assumed.external_id }).resolves({ Credentials });
    s3.onAnyCommand().resolves({});
    const { role, external_id, bucket: bucket_name, region } = assumed;
    const storage = {
      type: 'aws_s3',
      destination: { bucket_name, region },
      authentication: { iam_role_arn: role },
      external_id,
    } as const;
    const opened = await openS3(fileOf(small), storage, { ownBuckets: [], pathStyle: false }, signal);
    await opened.findObject();
    for (const client of [sts.call(0).thisValue, s3.call(0).thisValue] as unknown as S3Client[]) {
      const handler = client.config.requestHandler as unknown as { configProvider: Promise<object> };
      expect(await handler.configProvider).toMatchObject({
        connectionTimeout: 3000,
        requestTimeout: 60_000,
        throwOnRequestTimeout: true,
      });
    }
  });

  it.each<[string, number, string, string]>([
    ['PermanentRedirect', 301, 'storage_not_found', 'eu-west-3'],
    ['NoSuchBucket', 404, 'storage_not_found', 'no bucket archive'],
    ['KMS.DisabledException', 403, 'storage_access_denied', 'KMS.DisabledException'],
  ])('refused by S3 with %s (%i) fails with %s', (name, httpStatusCode, code, detail) => {
    const error = new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });
    Object.assign(error, { $response: { headers: { 'x-amz-bucket-region': 'eu-west-3' } } });
    expect(failureOfS3(error, { bucket: 'archive' })).toMatchObject({
      code,
      detail: expect.stringContaining(detail),
    });
  });
});
