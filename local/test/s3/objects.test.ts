import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutBucketTaggingCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKET, clientOf, md5Hex, REGION, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const at = (Key: string) => ({ Bucket: BUCKET, Key });
const put = (key: string, Body: string | Buffer) =>
  server.client.send(new PutObjectCommand({ ...at(key), Body }));
const get = async (key: string) => {
  const { Body } = await server.client.send(new GetObjectCommand(at(key)));
  return Buffer.from(await Body!.transformToByteArray());
};

describe('buckets', () => {
  it('are created, found and listed', async () => {
    await server.client.send(new CreateBucketCommand({ Bucket: 'another-bucket' }));
    const head = await server.client.send(new HeadBucketCommand({ Bucket: 'another-bucket' }));
    expect(head.BucketRegion).toBe(REGION);
    const { Buckets } = await server.client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual(['another-bucket', BUCKET]);
  });

  it.each([
    ['that of an existing bucket', BUCKET, 'BucketAlreadyOwnedByYou'],
    ['an IP address', '10.0.0.1', 'InvalidBucketName'],
    ['one with two dots in a row', 'a..b', 'InvalidBucketName'],
  ])('are not created if the name is %s', async (_, Bucket, name) => {
    await expect(server.client.send(new CreateBucketCommand({ Bucket }))).rejects.toMatchObject({ name });
  });

  it('are reported as missing if they do not exist', async () => {
    await expect(server.client.send(new HeadBucketCommand({ Bucket: 'nowhere' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    });
    const write = new PutObjectCommand({ Bucket: 'nowhere', Key: 'a', Body: 'a' });
    await expect(server.client.send(write)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });
});

describe('an object', () => {
  it('is returned with the bytes, headers and metadata with which it was stored', async () => {
    const body = randomBytes(300_000);
    const written = await server.client.send(
      new PutObjectCommand({
        ...at('kept'),
        Body: body,
        ContentType: 'video/mp4',
        CacheControl: 'max-age=60',
        ContentDisposition: 'attachment; filename="a b.mp4"',
        ContentEncoding: 'gzip',
        ContentLanguage: 'en',
        Expires: new Date('2030-01-01T00:00:00Z'),
        Metadata: { asset: '42', 'two-words': 'x  y' },
        ServerSideEncryption: 'aws:kms',
        SSEKMSKeyId: 'a-key',
      }),
    );
    expect(written).toMatchObject({
      ETag: `"${md5Hex(body)}"`,
      ServerSideEncryption: 'aws:kms',
      SSEKMSKeyId: 'a-key',
    });

    const expected = {
      ContentLength: body.length,
      ContentType: 'video/mp4',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment; filename="a b.mp4"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'en',
      ExpiresString: 'Tue, 01 Jan 2030 00:00:00 GMT',
      Metadata: { asset: '42', 'two-words': 'x  y' },
      ServerSideEncryption: 'aws:kms',
      ETag: `"${md5Hex(body)}"`,
      AcceptRanges: 'bytes',
    };
    const read = await server.client.send(new GetObjectCommand(at('kept')));
    expect(read).toMatchObject(expected);
    expect(Buffer.from(await read.Body!.transformToByteArray()).equals(body)).toBe(true);
    const head = await server.client.send(new HeadObjectCommand(at('kept')));
    expect(head).toMatchObject(expected);
    expect(Date.now() - head.LastModified!.getTime()).toBeLessThan(60_000);
  });

  it('can be empty, and has the type application/octet-stream by default', async () => {
    await put('empty', Buffer.alloc(0));
    const read = await server.client.send(new GetObjectCommand(at('empty')));
    expect(read).toMatchObject({ ContentLength: 0, ContentType: 'application/octet-stream' });
    expect(await read.Body!.transformToByteArray()).toHaveLength(0);
  });

  it('is stored from a stream, which the SDK sends as aws-chunked with a trailing checksum', async () => {
    const pieces = Array.from({ length: 40 }, () => randomBytes(10_000));
    const body = Buffer.concat(pieces);
    const written = await server.client.send(
      new PutObjectCommand({ ...at('stream'), Body: Readable.from(pieces), ContentLength: body.length }),
    );
    expect(written.ChecksumCRC32).toMatch(/^[\w+/]{6}==$/);
    const read = await server.client.send(new GetObjectCommand(at('stream')));
    expect(read.ContentEncoding).toBeUndefined();
    expect(Buffer.from(await read.Body!.transformToByteArray()).equals(body)).toBe(true);
  });

  it('is replaced completely', async () => {
    await put('twice', 'the first, longer one');
    await put('twice', 'second');
    expect((await get('twice')).toString()).toBe('second');
  });

  it('has the content of one write, never a mix, if many write at the same time', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => Buffer.alloc(400_000, index));
    await Promise.all(bodies.map((body) => put('contended', body)));
    const result = await get('contended');
    expect(bodies.some((body) => body.equals(result))).toBe(true);
    const { ETag } = await server.client.send(new HeadObjectCommand(at('contended')));
    expect(ETag).toBe(`"${md5Hex(result)}"`);
  });

  it('is read completely even if it is replaced and deleted meanwhile', async () => {
    const body = randomBytes(8_000_000);
    await put('moving', body);
    const { Body } = await server.client.send(new GetObjectCommand(at('moving')));
    await put('moving', 'other');
    await server.client.send(new DeleteObjectCommand(at('moving')));
    expect(Buffer.from(await Body!.transformToByteArray()).equals(body)).toBe(true);
  });

  it('does not exist after DeleteObject, which may be repeated', async () => {
    await put('doomed', 'x');
    await server.client.send(new DeleteObjectCommand(at('doomed')));
    await server.client.send(new DeleteObjectCommand(at('doomed')));
    await expect(get('doomed')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(server.client.send(new HeadObjectCommand(at('doomed')))).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  it('is refused if it has too much metadata', async () => {
    const command = new PutObjectCommand({ ...at('fat'), Body: 'x', Metadata: { a: 'x'.repeat(2048) } });
    await expect(server.client.send(command)).rejects.toMatchObject({ name: 'MetadataTooLarge' });
  });
});

describe('a key', () => {
  it.each([
    ['../../../etc/passwd'],
    ['a/../b'],
    ['..'],
    ['.'],
    ['/leading'],
    ['double//slash'],
    ['trailing/'],
    ['spaces and + plus % percent'],
    ["reserved !'()*;:@&=$,?#[]"],
    ['unicode ünï 漢字 🎬'],
    ['nul\u0000 and \u0001 and \u007f'],
    ['x'.repeat(1024)],
  ])('is stored unchanged: %j', async (key) => {
    await put(key, `content of ${key}`);
    expect((await get(key)).toString()).toBe(`content of ${key}`);
    const listed = await server.client.send(
      new ListObjectsV2Command({ Bucket: BUCKET, Prefix: key, EncodingType: 'url' }),
    );
    expect(listed.Contents?.map(({ Key }) => decodeURIComponent(Key!))).toContain(key);
    await server.client.send(new DeleteObjectCommand(at(key)));
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('is refused if it has more than 1,024 bytes', async () => {
    await expect(put(`${'x'.repeat(1023)}é`, 'x')).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });

  it('is never used as the name of a file', async () => {
    await put('../escape', 'x');
    const files = await readdir(join(server.dir, 'buckets', BUCKET, 'objects'));
    expect(files.every((name) => /^[0-9a-f]{64}\.json$/.test(name))).toBe(true);
    expect((await readdir(server.dir)).sort()).toEqual(['buckets', 'data', 'scratch']);
  });
});

describe('checksums of an object', () => {
  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    'are verified and returned if requested: %s of the SDK',
    async (algorithm) => {
      const command = new PutObjectCommand({
        ...at(`sum-${algorithm}`),
        Body: 'checked',
        ChecksumAlgorithm: algorithm,
      });
      const member = `Checksum${algorithm}` as const;
      const written = await server.client.send(command);
      const asked = await server.client.send(
        new HeadObjectCommand({ ...at(`sum-${algorithm}`), ChecksumMode: 'ENABLED' }),
      );
      expect(asked).toHaveProperty(member, written[member]);
      expect(asked.ChecksumType).toBe('FULL_OBJECT');
      const unasked = await server.client.send(new HeadObjectCommand(at(`sum-${algorithm}`)));
      expect(unasked).not.toHaveProperty(member);
    },
  );

  it.each([
    ['a Content-MD5 of other data', { ContentMD5: '1B2M2Y8AsgTpgAmY7PhCfg==' }, 'BadDigest'],
    ['an invalid Content-MD5', { ContentMD5: 'AAAA' }, 'InvalidDigest'],
    ['a CRC32 of other data', { ChecksumCRC32: 'AAAAAA==' }, 'BadDigest'],
    ['a CRC64NVME of other data', { ChecksumCRC64NVME: 'AAAAAAAAAAA=' }, 'BadDigest'],
    ['a checksum that the server cannot compute', { ChecksumSHA512: 'AAAA' }, 'NotImplemented'],
    ['an invalid SHA256', { ChecksumSHA256: 'AAAA' }, 'InvalidRequest'],
  ])('are compared: data with %s is refused and not stored', async (_, claim, name) => {
    const client = clientOf(server.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const command = new PutObjectCommand({ ...at('corrupt'), Body: 'some data', ...claim });
    await expect(client.send(command)).rejects.toMatchObject({ name });
    await expect(get('corrupt')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await readdir(join(server.dir, 'scratch'))).toEqual([]);
    client.destroy();
  });
});

describe('an unsupported request', () => {
  it.each([
    ['GetObjectAcl', () => server.client.send(new GetObjectAclCommand(at('kept')))],
    [
      'PutBucketTagging',
      () => server.client.send(new PutBucketTaggingCommand({ Bucket: BUCKET, Tagging: { TagSet: [] } })),
    ],
    [
      'tags of a version',
      () => server.client.send(new GetObjectTaggingCommand({ ...at('kept'), VersionId: '1' })),
    ],
    ['a part of an object', () => server.client.send(new GetObjectCommand({ ...at('kept'), PartNumber: 1 }))],
  ])('is refused as NotImplemented: %s', async (_, attempt) => {
    await expect(attempt()).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
  });

  it('is refused if it sets a public ACL', async () => {
    const command = new PutObjectCommand({ ...at('open'), Body: 'x', ACL: 'public-read' });
    await expect(server.client.send(command)).rejects.toMatchObject({
      name: 'AccessControlListNotSupported',
    });
  });
});
