import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Delete,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ObjectIdentifier,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  BUCKET,
  basicDate,
  errorCode,
  sendRaw,
  sha256Hex,
  signByHand,
  startTestServer,
  type TestServer,
} from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const put = async (...keys: string[]) => {
  for (const Key of keys)
    await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: `content of ${Key}` }));
};
const list = async (Prefix: string) => {
  const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix }));
  return Contents.map(({ Key }) => Key);
};
const deleteAll = (Objects: ObjectIdentifier[], options: Partial<Delete> = {}) =>
  server.client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects, ...options } }));

describe('DeleteObjects', () => {
  it('deletes all given keys, also unusual and missing ones', async () => {
    const keys = ['del/a', 'del/<&">\'', 'del/\r\n', 'del/none'];
    await put(...keys.slice(0, 3));
    const { Deleted, Errors } = await deleteAll(keys.map((Key) => ({ Key })));
    expect(Deleted?.map(({ Key }) => Key)).toEqual(keys);
    expect(Errors).toBeUndefined();
    expect(await list('del/')).toEqual([]);
  });

  it('accepts at most a thousand keys', async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => ({ Key: `many/${index}` }));
    await put('many/0', 'many/999');
    await expect(deleteAll(keys)).rejects.toMatchObject({ name: 'MalformedXML' });
    expect(await list('many/')).toEqual(['many/0', 'many/999']);
    expect((await deleteAll(keys.slice(0, 1000))).Deleted).toHaveLength(1000);
    expect(await list('many/')).toEqual([]);
  });

  it('is refused without a key', async () => {
    await expect(deleteAll([])).rejects.toMatchObject({ name: 'MalformedXML' });
    await expect(deleteAll([{ Key: '' }])).rejects.toMatchObject({ name: 'MalformedXML' });
  });

  it('answers NoSuchBucket if the bucket does not exist', async () => {
    const Delete = { Objects: [{ Key: 'a' }] };
    const command = new DeleteObjectsCommand({ Bucket: 'nowhere', Delete });
    await expect(server.client.send(command)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });
});

describe('the errors of DeleteObjects', () => {
  it('list a key if the object has another ETag or does not exist', async () => {
    const { ETag } = await server.client.send(
      new PutObjectCommand({ Bucket: BUCKET, Key: 'etag/same', Body: 'x' }),
    );
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
    expect(await list('etag/')).toEqual(['etag/other']);
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
    expect(await list('version/')).toEqual(['version/a']);
  });

  it('list an object that cannot be deleted on disk, while the others are deleted', async () => {
    await put('disk/1', 'disk/broken', 'disk/3');
    const document = `${createHash('sha256').update('disk/broken').digest('hex')}.json`;
    await rm(join(server.dir, 'buckets', BUCKET, 'objects', document));
    const log = vi.spyOn(console, 'error').mockImplementationOnce(() => {});
    const { Deleted, Errors } = await deleteAll([
      { Key: 'disk/1' },
      { Key: 'disk/broken' },
      { Key: 'disk/3' },
    ]);
    expect(Deleted).toEqual([{ Key: 'disk/1' }, { Key: 'disk/3' }]);
    expect(Errors).toEqual([expect.objectContaining({ Key: 'disk/broken', Code: 'InternalError' })]);
    expect(log).toHaveBeenCalledOnce();
    expect(await list('disk/')).toEqual(['disk/broken']);
  });

  it('are the only content of the response in quiet mode', async () => {
    await put('quiet/a', 'quiet/b');
    const { Deleted, Errors } = await deleteAll(
      [{ Key: 'quiet/a' }, { Key: 'quiet/b', ETag: '"other"' }, { Key: 'quiet/none' }],
      { Quiet: true },
    );
    expect(Deleted).toBeUndefined();
    expect(Errors).toEqual([expect.objectContaining({ Key: 'quiet/b', Code: 'PreconditionFailed' })]);
    expect(await list('quiet/')).toEqual(['quiet/b']);
  });

  it('reject the whole request if it has a condition that only directory buckets support', async () => {
    await put('sized/a', 'sized/b');
    await expect(deleteAll([{ Key: 'sized/a' }, { Key: 'sized/b', Size: 1 }])).rejects.toMatchObject({
      name: 'NotImplemented',
    });
    expect(await list('sized/')).toEqual(['sized/a', 'sized/b']);
  });
});

describe('DeleteObjects', () => {
  const BODY = '<Delete><Object><Key>proof/a</Key></Object></Delete>';
  const send = (headers: Record<string, string>, body = BODY) => {
    const signed = signByHand({
      method: 'POST',
      host: new URL(server.url).host,
      path: `/${BUCKET}`,
      query: 'delete=',
      headers,
      payloadHash: sha256Hex(body),
      date: basicDate(Date.now()),
    });
    return sendRaw(server.url, { method: 'POST', path: `/${BUCKET}?delete`, headers: signed.headers, body });
  };
  const digest = (algorithm: string) => createHash(algorithm).update(BODY).digest('base64');

  it.each([
    ['missing', () => ({}), 'InvalidRequest'],
    ['only named by its algorithm', () => ({ 'x-amz-checksum-algorithm': 'SHA256' }), 'InvalidRequest'],
    ['the Content-MD5 of another body', () => ({ 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' }), 'BadDigest'],
    ['the CRC32 of another body', () => ({ 'x-amz-checksum-crc32': 'AAAAAA==' }), 'BadDigest'],
  ])('is refused if the checksum of its body is %s', async (_, headers, code) => {
    await put('proof/a');
    const answer = await send(headers());
    expect([answer.status, errorCode(answer)]).toEqual([400, code]);
    expect(await list('proof/')).toEqual(['proof/a']);
  });

  it.each([
    ['a Content-MD5', () => ({ 'content-md5': digest('md5') })],
    ['a SHA256', () => ({ 'x-amz-checksum-sha256': digest('sha256') })],
  ])('accepts %s as the checksum of its body', async (_, headers) => {
    await put('proof/a');
    expect(await send(headers())).toMatchObject({ status: 200 });
    expect(await list('proof/')).toEqual([]);
  });

  it('is refused without a signature', async () => {
    await put('proof/a');
    const headers = { 'content-md5': digest('md5') };
    const answer = await sendRaw(server.url, {
      method: 'POST',
      path: `/${BUCKET}?delete`,
      headers,
      body: BODY,
    });
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessDenied']);
    expect(await list('proof/')).toEqual(['proof/a']);
  });
});

describe('DeleteObject', () => {
  it('keeps an object whose ETag differs from If-Match', async () => {
    await put('kept');
    const command = new DeleteObjectCommand({ Bucket: BUCKET, Key: 'kept', IfMatch: '"other"' });
    await expect(server.client.send(command)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect(await list('kept')).toEqual(['kept']);
  });

  it.each([
    ['a size', { IfMatchSize: 1 }],
    ['a time', { IfMatchLastModifiedTime: new Date(0) }],
  ])('is refused with a condition that only directory buckets support: %s', async (_, condition) => {
    await put('kept');
    const command = new DeleteObjectCommand({ Bucket: BUCKET, Key: 'kept', ...condition });
    await expect(server.client.send(command)).rejects.toMatchObject({ name: 'NotImplemented' });
    const { Body } = await server.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'kept' }));
    expect(await Body!.transformToString()).toBe('content of kept');
  });
});
