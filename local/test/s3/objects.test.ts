import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { BUCKET, clientOf, md5Hex, REGION, useS3 } from './harness.ts';

const s3 = useS3();

describe('buckets', () => {
  it('are created, found and listed', async () => {
    await s3.client.send(new CreateBucketCommand({ Bucket: 'another-bucket' }));
    const head = await s3.client.send(new HeadBucketCommand({ Bucket: 'another-bucket' }));
    expect(head.BucketRegion).toBe(REGION);
    const { Buckets } = await s3.client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual(['another-bucket', BUCKET]);
  });

  it.each([
    ['that of an existing bucket', BUCKET, 'BucketAlreadyOwnedByYou'],
    ['an IP address', '10.0.0.1', 'InvalidBucketName'],
    ['one with two dots in a row', 'a..b', 'InvalidBucketName'],
  ])('are not created if the name is %s', async (_, Bucket, name) => {
    await expect(s3.client.send(new CreateBucketCommand({ Bucket }))).rejects.toMatchObject({ name });
  });

  it('are reported as missing if they do not exist', async () => {
    await expect(s3.client.send(new HeadBucketCommand({ Bucket: 'nowhere' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    });
    const write = new PutObjectCommand({ Bucket: 'nowhere', Key: 'a', Body: 'a' });
    await expect(s3.client.send(write)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });
});

describe('an object', () => {
  it('is returned with the bytes, headers and metadata with which it was stored', async () => {
    const body = randomBytes(300_000);
    const headers = {
      ContentType: 'video/mp4',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment; filename="a b.mp4"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'en',
      Metadata: { asset: '42', 'two-words': 'x  y' },
      ServerSideEncryption: 'aws:kms' as const,
    };
    const Expires = new Date('2030-01-01T00:00:00Z');
    const ETag = `"${md5Hex(body)}"`;
    const encryption = { ServerSideEncryption: headers.ServerSideEncryption, SSEKMSKeyId: 'a-key' };
    const written = await s3.put('kept', body, { ...headers, Expires, ...encryption });
    expect(written).toMatchObject({ ETag, ...encryption });

    const expected = {
      ...headers,
      ETag,
      ContentLength: body.length,
      ExpiresString: 'Tue, 01 Jan 2030 00:00:00 GMT',
      AcceptRanges: 'bytes',
    };
    const read = await s3.get('kept');
    expect(read).toMatchObject(expected);
    expect(Buffer.from(await read.Body!.transformToByteArray()).equals(body)).toBe(true);
    const head = await s3.head('kept');
    expect(head).toMatchObject(expected);
    expect(Date.now() - head.LastModified!.getTime()).toBeLessThan(60_000);
  });

  it('can be empty, and has the type application/octet-stream by default', async () => {
    await s3.put('empty', Buffer.alloc(0));
    const empty = { ContentLength: 0, ContentType: 'application/octet-stream' };
    expect(await s3.head('empty')).toMatchObject(empty);
    expect(await s3.text('empty')).toBe('');
  });

  it('is stored from a stream, which the SDK sends as aws-chunked with a trailing checksum', async () => {
    const pieces = Array.from({ length: 40 }, () => randomBytes(10_000));
    const body = Buffer.concat(pieces);
    const written = await s3.put('stream', Readable.from(pieces), { ContentLength: body.length });
    expect(written.ChecksumCRC32).toMatch(/^[\w+/]{6}==$/);
    expect((await s3.head('stream')).ContentEncoding).toBeUndefined();
    expect((await s3.bytes('stream')).equals(body)).toBe(true);
  });

  it('is replaced completely', async () => {
    await s3.put('twice', 'the first, longer one');
    await s3.put('twice', 'second');
    expect(await s3.text('twice')).toBe('second');
  });

  it('has the content of one write, never a mix, if many write at the same time', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => Buffer.alloc(400_000, index));
    await Promise.all(bodies.map((body) => s3.put('contended', body)));
    const result = await s3.bytes('contended');
    expect(bodies.some((body) => body.equals(result))).toBe(true);
    const { ETag } = await s3.head('contended');
    expect(ETag).toBe(`"${md5Hex(result)}"`);
  });

  it('is read completely even if it is replaced and deleted meanwhile', async () => {
    const body = randomBytes(8_000_000);
    await s3.put('moving', body);
    const { Body } = await s3.get('moving');
    await s3.put('moving', 'other');
    await s3.client.send(new DeleteObjectCommand(s3.at('moving')));
    expect(Buffer.from(await Body!.transformToByteArray()).equals(body)).toBe(true);
  });

  it('does not exist after DeleteObject, which may be repeated', async () => {
    await s3.put('doomed', 'x');
    await s3.client.send(new DeleteObjectCommand(s3.at('doomed')));
    await s3.client.send(new DeleteObjectCommand(s3.at('doomed')));
    await expect(s3.get('doomed')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(s3.head('doomed')).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is refused if it has too much metadata', async () => {
    const write = s3.put('fat', 'x', { Metadata: { a: 'x'.repeat(2048) } });
    await expect(write).rejects.toMatchObject({ name: 'MetadataTooLarge' });
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
    await s3.put(key, `content of ${key}`);
    expect(await s3.text(key)).toBe(`content of ${key}`);
    expect(await s3.keys(key)).toContain(key);
    await s3.client.send(new DeleteObjectCommand(s3.at(key)));
    await expect(s3.get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('is refused if it has more than 1,024 bytes', async () => {
    await expect(s3.put(`${'x'.repeat(1023)}é`, 'x')).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });

  it('is never used as the name of a file', async () => {
    await s3.put('../escape', 'x');
    const files = await s3.files(`buckets/${BUCKET}/objects`);
    expect(files.every((name) => /^[0-9a-f]{64}\.json$/.test(name))).toBe(true);
    expect((await s3.files('')).sort()).toEqual(['buckets', 'data', 'scratch']);
  });
});

describe('checksums of an object', () => {
  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    'are verified and returned if requested: %s of the SDK',
    async (algorithm) => {
      const member = `Checksum${algorithm}` as const;
      const written = await s3.put('summed', 'checked', { ChecksumAlgorithm: algorithm });
      const asked = await s3.head('summed', { ChecksumMode: 'ENABLED' });
      expect(asked).toHaveProperty(member, written[member]);
      expect(asked.ChecksumType).toBe('FULL_OBJECT');
      expect(await s3.head('summed')).not.toHaveProperty(member);
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
    const client = clientOf(s3.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const command = new PutObjectCommand({ ...s3.at('corrupt'), Body: 'some data', ...claim });
    await expect(client.send(command)).rejects.toMatchObject({ name });
    await expect(s3.get('corrupt')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await s3.files('scratch')).toEqual([]);
    client.destroy();
  });
});

describe('an unsupported request', () => {
  it.each([
    ['GetObjectAcl', () => s3.client.send(new GetObjectAclCommand(s3.at('kept')))],
    [
      'PutBucketTagging',
      () => s3.client.send(new PutBucketTaggingCommand({ Bucket: BUCKET, Tagging: { TagSet: [] } })),
    ],
    [
      'tags of a version',
      () => s3.client.send(new GetObjectTaggingCommand({ ...s3.at('kept'), VersionId: '1' })),
    ],
    ['a part of an object', () => s3.client.send(new GetObjectCommand({ ...s3.at('kept'), PartNumber: 1 }))],
  ])('is refused as NotImplemented: %s', async (_, attempt) => {
    await expect(attempt()).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
  });

  it('is refused if it sets a public ACL', async () => {
    const write = s3.put('open', 'x', { ACL: 'public-read' });
    await expect(write).rejects.toMatchObject({ name: 'AccessControlListNotSupported' });
  });
});
