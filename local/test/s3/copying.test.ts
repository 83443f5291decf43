import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  type CopyObjectCommandInput,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKET, startTestServer, type TestServer } from './harness.ts';

const sourceKey = 'from/a source+ü';
let server: TestServer;
let etag: string;
beforeAll(async () => {
  server = await startTestServer({ buckets: [{ name: BUCKET }, { name: 'other-bucket' }] });
  const put = new PutObjectCommand({
    Bucket: BUCKET,
    Key: sourceKey,
    Body: 'the original',
    ContentType: 'text/plain',
    Metadata: { kept: 'yes' },
  });
  etag = (await server.client.send(put)).ETag!;
});
afterAll(() => server.close());

const copy = (Key: string, input: Partial<CopyObjectCommandInput> = {}) =>
  server.client.send(
    new CopyObjectCommand({
      Bucket: BUCKET,
      Key,
      CopySource: `${BUCKET}/${encodeURIComponent(sourceKey)}`,
      ...input,
    }),
  );
const read = async (Key: string, Bucket = BUCKET) => {
  const { Body } = await server.client.send(new GetObjectCommand({ Bucket, Key }));
  return Body!.transformToString();
};

describe('CopyObject', () => {
  it('copies the content and the metadata', async () => {
    const { CopyObjectResult } = await copy('plain copy');
    expect(CopyObjectResult).toMatchObject({ ETag: etag, LastModified: expect.any(Date) });
    const head = await server.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'plain copy' }));
    expect(head).toMatchObject({ ContentType: 'text/plain', Metadata: { kept: 'yes' }, ETag: etag });
    expect(await read('plain copy')).toBe('the original');
  });

  it('copies to another bucket', async () => {
    await copy('there', { Bucket: 'other-bucket' });
    expect(await read('there', 'other-bucket')).toBe('the original');
  });

  it('replaces the metadata if requested, also if an object is copied to itself', async () => {
    await copy('self');
    const Metadata = { fresh: '1' };
    await copy('self', {
      CopySource: `/${BUCKET}/self`,
      MetadataDirective: 'REPLACE',
      Metadata,
      ContentType: 'a/b',
    });
    const head = await server.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'self' }));
    expect(head).toMatchObject({ ContentType: 'a/b', Metadata, ETag: etag });
    await expect(copy('self', { CopySource: `${BUCKET}/self` })).rejects.toMatchObject({
      name: 'InvalidRequest',
    });
  });

  it('makes a copy that keeps its data after the source is deleted', async () => {
    await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'mortal', Body: 'long live' }));
    await copy('heir', { CopySource: `${BUCKET}/mortal` });
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'mortal' }));
    expect(await read('heir')).toBe('long live');
    server = await server.restart();
    expect(await read('heir')).toBe('long live');
    const before = (await readdir(join(server.dir, 'data'))).length;
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'heir' }));
    expect(await readdir(join(server.dir, 'data'))).toHaveLength(before - 1);
  });

  it('computes the requested checksum', async () => {
    const { CopyObjectResult } = await copy('summed', { ChecksumAlgorithm: 'SHA256' });
    expect(CopyObjectResult?.ChecksumSHA256).toMatch(/^[\w+/]{43}=$/);
  });

  it.each([
    ['of its ETag', () => ({ CopySourceIfMatch: etag }), undefined],
    ['of another ETag', () => ({ CopySourceIfMatch: '"x"' }), 'PreconditionFailed'],
    ['of no such ETag', () => ({ CopySourceIfNoneMatch: etag }), 'PreconditionFailed'],
    [
      'of a change since tomorrow',
      () => ({ CopySourceIfModifiedSince: new Date(Date.now() + 86_400_000) }),
      'PreconditionFailed',
    ],
    [
      'of no change since yesterday',
      () => ({ CopySourceIfUnmodifiedSince: new Date(Date.now() - 86_400_000) }),
      'PreconditionFailed',
    ],
  ])('checks the condition on the source %s', async (_, condition, name) => {
    const outcome = await copy('conditional', condition()).then(
      () => undefined,
      (error) => error.name,
    );
    expect(outcome).toBe(name);
  });

  it.each([
    [`${BUCKET}/none`, 'NoSuchKey'],
    ['no-bucket/none', 'NoSuchBucket'],
    ['nonsense', 'InvalidArgument'],
    [`${BUCKET}/%ff`, 'InvalidArgument'],
    [`${BUCKET}/self?versionId=1`, 'NoSuchVersion'],
    [`${BUCKET}/self?other=1`, 'NotImplemented'],
  ])('refuses the source %s', async (CopySource, name) => {
    await expect(copy('never', { CopySource })).rejects.toMatchObject({ name });
  });
});
