import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  type Delete,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  type ObjectIdentifier,
} from '@aws-sdk/client-s3';
import { describe, expect, it, vi } from 'vitest';
import { BUCKET, errorCode, sendRaw, useS3 } from './harness.ts';

const s3 = useS3();

const put = async (...keys: string[]) => {
  for (const key of keys) await s3.put(key, `content of ${key}`);
};
const deleteAll = (Objects: ObjectIdentifier[], options: Partial<Delete> = {}) =>
  s3.client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects, ...options } }));

describe('DeleteObjects', () => {
  it('deletes all given keys, also unusual and missing ones', async () => {
    const keys = ['del/a', 'del/<&">\'', 'del/\r\n', 'del/none'];
    await put(...keys.slice(0, 3));
    const { Deleted, Errors } = await deleteAll(keys.map((Key) => ({ Key })));
    expect(Deleted?.map(({ Key }) => Key)).toEqual(keys);
    expect(Errors).toBeUndefined();
    expect(await s3.keys('del/')).toEqual([]);
  });

  it('accepts at most a thousand keys', async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => ({ Key: `many/${index}` }));
    await put('many/0', 'many/999');
    await expect(deleteAll(keys)).rejects.toMatchObject({ name: 'MalformedXML' });
    expect(await s3.keys('many/')).toEqual(['many/0', 'many/999']);
    expect((await deleteAll(keys.slice(0, 1000))).Deleted).toHaveLength(1000);
    expect(await s3.keys('many/')).toEqual([]);
  });

  it('is refused without a key', async () => {
    await expect(deleteAll([])).rejects.toMatchObject({ name: 'MalformedXML' });
    await expect(deleteAll([{ Key: '' }])).rejects.toMatchObject({ name: 'MalformedXML' });
  });

  it('answers NoSuchBucket if the bucket does not exist', async () => {
    const Delete = { Objects: [{ Key: 'a' }] };
    const command = new DeleteObjectsCommand({ Bucket: 'nowhere', Delete });
    await expect(s3.client.send(command)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });
});

describe('the errors of DeleteObjects', () => {
  it('list a key if the object has another ETag or does not exist', async () => {
    const { ETag } = await s3.put('etag/same', 'x');
    await put('etag/other', 'etag/any');
    const { Deleted, Errors } = await deleteAll([
      { Key: 'etag/other', ETag },
      { Key: 'etag/none', ETag: '*' },
      { Key: 'etag/same', ETag },
      { Key: 'etag/any', ETag: '*' },
    ]);
    expect(Deleted).toEqual([{ Key: 'etag/same' }, { Key: 'etag/any' }]);
    expect(Errors).toEqual([
      { Key: 'etag/other', Code: 'PreconditionFailed', Message: expect.stringContaining('did not hold') },
      { Key: 'etag/none', Code: 'NoSuchKey', Message: expect.stringContaining('does not exist') },
    ]);
    expect(await s3.keys('etag/')).toEqual(['etag/other']);
  });

  it('list a version, because a bucket without versioning has only the version "null"', async () => {
    await put('version/a', 'version/b');
    const { Deleted, Errors } = await deleteAll([
      { Key: 'version/a', VersionId: 'HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD' },
      { Key: 'version/b', VersionId: 'null' },
    ]);
    expect(Deleted).toEqual([{ Key: 'version/b', VersionId: 'null' }]);
    expect(Errors).toEqual([
      expect.objectContaining({
        Key: 'version/a',
        VersionId: 'HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD',
        Code: 'NoSuchVersion',
      }),
    ]);
    expect(await s3.keys('version/')).toEqual(['version/a']);
  });

  it('list an object that cannot be deleted on disk, while the others are deleted', async () => {
    await put('disk/1', 'disk/broken', 'disk/3');
    const document = `${createHash('sha256').update('disk/broken').digest('hex')}.json`;
    await rm(s3.path('buckets', BUCKET, 'objects', document));
    const log = vi.spyOn(console, 'error').mockImplementationOnce(() => {});
    const { Deleted, Errors } = await deleteAll([
      { Key: 'disk/1' },
      { Key: 'disk/broken' },
      { Key: 'disk/3' },
    ]);
    expect(Deleted).toEqual([{ Key: 'disk/1' }, { Key: 'disk/3' }]);
    expect(Errors).toEqual([expect.objectContaining({ Key: 'disk/broken', Code: 'InternalError' })]);
    expect(log).toHaveBeenCalledOnce();
    expect(await s3.keys('disk/')).toEqual(['disk/broken']);
  });

  it('are the only content of the response in quiet mode', async () => {
    await put('quiet/a', 'quiet/b');
    const { Deleted, Errors } = await deleteAll(
      [{ Key: 'quiet/a' }, { Key: 'quiet/b', ETag: '"other"' }, { Key: 'quiet/none' }],
      { Quiet: true },
    );
    expect(Deleted).toBeUndefined();
    expect(Errors).toEqual([expect.objectContaining({ Key: 'quiet/b', Code: 'PreconditionFailed' })]);
    expect(await s3.keys('quiet/')).toEqual(['quiet/b']);
  });

  it('reject the whole request if it has a condition that only directory buckets support', async () => {
    await put('sized/a', 'sized/b');
    await expect(deleteAll([{ Key: 'sized/a' }, { Key: 'sized/b', Size: 1 }])).rejects.toMatchObject({
      name: 'NotImplemented',
    });
    expect(await s3.keys('sized/')).toEqual(['sized/a', 'sized/b']);
  });
});

describe('the body of DeleteObjects', () => {
  const BODY = '<Delete><Object><Key>proof/a</Key></Object></Delete>';
  const send = (headers: Record<string, string>) =>
    s3.sendSigned({ method: 'POST', path: `/${BUCKET}`, query: 'delete=', headers, body: BODY });
  const digest = (algorithm: string) => createHash(algorithm).update(BODY).digest('base64');

  it.each([
    ['missing', () => ({}), 'InvalidRequest'],
    ['only named by its algorithm', () => ({ 'x-amz-checksum-algorithm': 'SHA256' }), 'InvalidRequest'],
    ['the Content-MD5 of another body', () => ({ 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' }), 'BadDigest'],
    ['the CRC32 of another body', () => ({ 'x-amz-checksum-crc32': 'AAAAAA==' }), 'BadDigest'],
  ])('is refused if its checksum is %s', async (_, headers, code) => {
    await put('proof/a');
    const answer = await send(headers());
    expect([answer.status, errorCode(answer)]).toEqual([400, code]);
    expect(await s3.keys('proof/')).toEqual(['proof/a']);
  });

  it.each([
    ['a Content-MD5', () => ({ 'content-md5': digest('md5') })],
    ['a SHA256', () => ({ 'x-amz-checksum-sha256': digest('sha256') })],
  ])('may have %s as its checksum', async (_, headers) => {
    await put('proof/a');
    expect(await send(headers())).toMatchObject({ status: 200 });
    expect(await s3.keys('proof/')).toEqual([]);
  });

  it('is refused without a signature', async () => {
    await put('proof/a');
    const headers = { 'content-md5': digest('md5') };
    const unsigned = { method: 'POST', path: `/${BUCKET}?delete`, headers, body: BODY };
    const answer = await sendRaw(s3.url, unsigned);
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessDenied']);
    expect(await s3.keys('proof/')).toEqual(['proof/a']);
  });
});

describe('DeleteObject', () => {
  it('keeps an object whose ETag differs from If-Match', async () => {
    await put('kept');
    const command = new DeleteObjectCommand({ ...s3.at('kept'), IfMatch: '"other"' });
    await expect(s3.client.send(command)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect(await s3.keys('kept')).toEqual(['kept']);
  });

  it.each([
    ['a size', { IfMatchSize: 1 }],
    ['a time', { IfMatchLastModifiedTime: new Date(0) }],
  ])('is refused with a condition that only directory buckets support: %s', async (_, condition) => {
    await put('kept');
    const command = new DeleteObjectCommand({ ...s3.at('kept'), ...condition });
    await expect(s3.client.send(command)).rejects.toMatchObject({ name: 'NotImplemented' });
    expect(await s3.text('kept')).toBe('content of kept');
  });
});
