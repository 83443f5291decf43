import { CopyObjectCommand, type CopyObjectCommandInput, DeleteObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUCKET, useS3 } from './harness.ts';

const sourceKey = 'from/a source+ü';
const s3 = useS3({ buckets: [{ name: BUCKET }, { name: 'other-bucket' }] });
let etag: string;
beforeAll(async () => {
  const more = { ContentType: 'text/plain', Metadata: { kept: 'yes' } };
  etag = (await s3.put(sourceKey, 'the original', more)).ETag!;
});

const copy = (Key: string, input: Partial<CopyObjectCommandInput> = {}) => {
  const CopySource = `${BUCKET}/${encodeURIComponent(sourceKey)}`;
  return s3.client.send(new CopyObjectCommand({ ...s3.at(Key), CopySource, ...input }));
};

describe('CopyObject', () => {
  it('copies the content and the metadata', async () => {
    const { CopyObjectResult } = await copy('plain copy');
    expect(CopyObjectResult).toMatchObject({ ETag: etag, LastModified: expect.any(Date) });
    const copied = { ContentType: 'text/plain', Metadata: { kept: 'yes' }, ETag: etag };
    expect(await s3.head('plain copy')).toMatchObject(copied);
    expect(await s3.text('plain copy')).toBe('the original');
  });

  it('copies to another bucket', async () => {
    await copy('there', { Bucket: 'other-bucket' });
    expect(await s3.text('there', { Bucket: 'other-bucket' })).toBe('the original');
  });

  it('replaces the metadata if requested, also if an object is copied to itself', async () => {
    await copy('self');
    const Metadata = { fresh: '1' };
    const CopySource = `/${BUCKET}/self`;
    await copy('self', { CopySource, MetadataDirective: 'REPLACE', Metadata, ContentType: 'a/b' });
    expect(await s3.head('self')).toMatchObject({ ContentType: 'a/b', Metadata, ETag: etag });
    await expect(copy('self', { CopySource })).rejects.toMatchObject({ name: 'InvalidRequest' });
  });

  it('makes a copy that keeps its data after the source is deleted', async () => {
    await s3.put('mortal', 'long live');
    await copy('heir', { CopySource: `${BUCKET}/mortal` });
    await s3.client.send(new DeleteObjectCommand(s3.at('mortal')));
    expect(await s3.text('heir')).toBe('long live');
    await s3.restart();
    expect(await s3.text('heir')).toBe('long live');
    const before = (await s3.files('data')).length;
    await s3.client.send(new DeleteObjectCommand(s3.at('heir')));
    expect(await s3.files('data')).toHaveLength(before - 1);
  });

  it('computes the requested checksum', async () => {
    const { CopyObjectResult } = await copy('summed', { ChecksumAlgorithm: 'SHA256' });
    expect(CopyObjectResult?.ChecksumSHA256).toMatch(/^[\w+/]{43}=$/);
  });

  const DAY_MS = 86_400_000;
  const fromNow = (ms: number) => new Date(Date.now() + ms);
  it.each([
    ['of its ETag', () => ({ CopySourceIfMatch: etag }), undefined],
    ['of another ETag', () => ({ CopySourceIfMatch: '"x"' }), 'PreconditionFailed'],
    ['of no such ETag', () => ({ CopySourceIfNoneMatch: etag }), 'PreconditionFailed'],
    [
      'of a change since tomorrow',
      () => ({ CopySourceIfModifiedSince: fromNow(DAY_MS) }),
      'PreconditionFailed',
    ],
    [
      'of no change since yesterday',
      () => ({ CopySourceIfUnmodifiedSince: fromNow(-DAY_MS) }),
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
