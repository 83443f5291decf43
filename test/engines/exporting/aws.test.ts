import { createHash } from 'node:crypto';
/** What AWS alone answers: the rest is tested against the local S3 and Security Token Service, in test/lambdas/exports. */
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
import { sessionIn } from '../../../engines/exporting/aws-session.ts';
import { writtenTo } from '../../../engines/exporting/write-file.ts';
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
const session = () => sessionIn(assumed, signal, new STSClient({}));

describe('a role', () => {
  it('is asked for with the external id, for the bucket alone, and tried without', async () => {
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

  it.each([
    ['AccessDenied', 'storage_access_denied'],
    ['RegionDisabledException', 'storage_access_denied'],
    ['Throttling', 'provider_unavailable'],
  ])('that STS refuses with %s ends as %s', async (name, code) => {
    sts.on(AssumeRoleCommand).rejects(refusedWith(name));
    await expect(session()).rejects.toMatchObject({ code });
  });

  it('is not used where nobody can tell whether it asks for an external id', async () => {
    sts.on(AssumeRoleCommand).rejects(refusedWith('Throttling'));
    sts.on(AssumeRoleCommand, { ExternalId: assumed.external_id }).resolves({ Credentials });
    await expect(session()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });
});

describe('an object', () => {
  it("is written to a bucket of the role's account alone", async () => {
    s3.onAnyCommand().resolves({});
    const client = new S3Client({ region: 'eu-central-1' });
    const file = fileOf(small);
    const opened = s3Object(client, file, { bucket: 'archive', owner: '123456789012' }, signal);
    await writtenTo(opened, file, writing({ overwrite: true }).given);
    const inputs = s3.calls().map(({ args }) => args[0].input as Record<string, unknown>);
    expect(inputs.length).toBeGreaterThan(1);
    for (const input of inputs) expect(input).toMatchObject({ ExpectedBucketOwner: '123456789012' });
  });

  const answered = (name: string, httpStatusCode: number) =>
    new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });
  const writtenBy = (file = fileOf(small), given = writing().given) => {
    const client = new S3Client({ region: 'eu-central-1' });
    return writtenTo(
      s3Object(client, file, { bucket: 'archive', owner: '123456789012' }, signal),
      file,
      given,
    );
  };
  /** Where the role may not list, S3 answers 403 for what is not there; then as for what was last put there. */
  const headsOf = (ContentLength: number) =>
    s3
      .on(HeadObjectCommand)
      .rejectsOnce(answered('Forbidden', 403))
      .callsFake(() => {
        const [put] = s3.commandCalls(PutObjectCommand);
        const { Metadata, ChecksumSHA256 } = put!.args[0].input;
        return { Metadata, ETag: '"1"', ContentLength, ChecksumSHA256 };
      });

  it('that was stored by a request whose answer was lost is known again, by a role that may not list, too', async () => {
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

  it('that says it is ours, and whose checksum says otherwise, is written again', async () => {
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

  it('that somebody deletes before it is replaced is put where nothing is', async () => {
    const Metadata = { 'kinora-made-of': fileOf(small).made_of };
    s3.on(HeadObjectCommand)
      .resolvesOnce({ Metadata, ETag: '"1"', ContentLength: 1 })
      .rejects(answered('NotFound', 404));
    s3.on(PutObjectCommand).rejectsOnce(answered('NoSuchKey', 404)).resolves({});
    expect(await writtenBy()).toMatchObject({ confirmed: { algorithm: 'SHA256' } });
    const conditions = s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
    expect(conditions.map(({ IfMatch, IfNoneMatch }) => IfMatch ?? IfNoneMatch)).toEqual(['"1"', '*']);
  });

  it('that others write at the same time is put again, and an upload of it begun again', async () => {
    s3.on(HeadObjectCommand).rejects(answered('Forbidden', 403));
    s3.on(PutObjectCommand).rejectsOnce(answered('ConditionalRequestConflict', 409)).resolves({});
    expect(await writtenBy()).toMatchObject({ confirmed: { algorithm: 'SHA256' } });
    s3.on(CreateMultipartUploadCommand).resolvesOnce({ UploadId: 'first' }).resolves({ UploadId: 'second' });
    s3.on(UploadPartCommand).resolves({ ETag: '"1"' });
    s3.on(CompleteMultipartUploadCommand)
      .rejectsOnce(answered('ConditionalRequestConflict', 409))
      .resolves({});
    expect(await writtenBy(fileOf(large))).toMatchObject({ confirmed: { algorithm: 'CRC32' } });
    const ids = (command: typeof AbortMultipartUploadCommand | typeof CompleteMultipartUploadCommand) =>
      s3
        .commandCalls(command as typeof AbortMultipartUploadCommand)
        .map(({ args }) => args[0].input.UploadId);
    expect(ids(AbortMultipartUploadCommand)).toEqual(['first']);
    expect(ids(CompleteMultipartUploadCommand)).toEqual(['first', 'second']);
  });

  describe('whose parts S3 took, and does not make the object of', () => {
    const uploadsOf = (command: unknown) =>
      s3
        .commandCalls(command as typeof AbortMultipartUploadCommand)
        .map(({ args }) => args[0].input.UploadId);
    beforeEach(() => {
      s3.on(HeadObjectCommand).rejects(answered('NotFound', 404));
      s3.on(CreateMultipartUploadCommand)
        .resolvesOnce({ UploadId: 'first' })
        .resolves({ UploadId: 'second' });
      s3.on(UploadPartCommand).resolves({ ETag: '"1"' });
    });

    it.each(['InvalidPart', 'InvalidPartOrder', 'BadDigest', 'EntityTooSmall', 'InvalidRequest'])(
      '(%s) are sent once more, in another upload, and those of the first removed',
      async (name) => {
        s3.on(CompleteMultipartUploadCommand).rejectsOnce(answered(name, 400)).resolves({});
        const { given, remembered } = writing();
        expect(await writtenBy(fileOf(large), given)).toMatchObject({ confirmed: { algorithm: 'CRC32' } });
        expect(uploadsOf(AbortMultipartUploadCommand)).toEqual(['first']);
        expect(uploadsOf(UploadPartCommand)).toEqual(['first', 'first', 'second', 'second']);
        expect(uploadsOf(CompleteMultipartUploadCommand)).toEqual(['first', 'second']);
        expect(remembered.at(-1)).toMatchObject({ upload: 'second', again: true });
      },
    );

    it('fail it where that is refused as well, for good, with what S3 says', async () => {
      s3.on(CompleteMultipartUploadCommand).rejects(answered('InvalidPart', 400));
      await expect(writtenBy(fileOf(large))).rejects.toMatchObject({
        name: 'provider_given_up',
        code: 'provider_unavailable',
        detail: expect.stringContaining('S3 says InvalidPart'),
      });
      expect(uploadsOf(CompleteMultipartUploadCommand)).toEqual(['first', 'second']);
    });

    it('fail it where the second upload was begun by an earlier call', async () => {
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

    it('are told anew what they are to make', async () => {
      s3.on(CompleteMultipartUploadCommand).rejectsOnce(answered('BadDigest', 400)).resolves({});
      const digests = { sha256: '00', md5: 'AA==', crc32: 'AAAAAA==' };
      const given = writing({ resume: { digests, upload: 'earlier', receipts: [] } }).given;
      const sha256 = createHash('sha256').update(large).digest('hex');
      expect(await writtenBy(fileOf(large), given)).toMatchObject({ sha256 });
    });
  });

  it('of which no upload could be remembered has none left', async () => {
    s3.on(HeadObjectCommand).rejects(answered('NotFound', 404));
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'unknown' });
    const remember = async () => {
      throw new Error('canceled');
    };
    await expect(writtenBy(fileOf(large), writing({ remember }).given)).rejects.toThrow('canceled');
    expect(s3.commandCalls(AbortMultipartUploadCommand)[0]!.args[0].input.UploadId).toBe('unknown');
  });

  it('is asked for by clients that do not wait for ever, as is its role', async () => {
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
    await opened.look();
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
    ['SlowDown', 503, 'provider_unavailable', 'SlowDown'],
  ])('that S3 refuses with %s (%i) ends as %s', (name, httpStatusCode, code, detail) => {
    const error = new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });
    Object.assign(error, { $response: { headers: { 'x-amz-bucket-region': 'eu-west-3' } } });
    expect(failureOfS3(error, { bucket: 'archive' })).toMatchObject({
      code,
      detail: expect.stringContaining(detail),
    });
  });
});
