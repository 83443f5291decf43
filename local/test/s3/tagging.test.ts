import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectTaggingCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type Tag,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { BUCKET, clientOf, errorCode, useS3 } from './harness.ts';

const s3 = useS3();

const put = (key: string, Tagging?: string) => s3.put(key, `content of ${key}`, { Tagging });
const tag = (key: string, TagSet: Tag[]) =>
  s3.client.send(new PutObjectTaggingCommand({ ...s3.at(key), Tagging: { TagSet } }));
const tagsOf = async (key: string) => {
  const { TagSet } = await s3.client.send(new GetObjectTaggingCommand(s3.at(key)));
  return Object.fromEntries(TagSet!.map(({ Key, Value }) => [Key, Value]));
};

describe('the tags of an object', () => {
  it('are set, read, replaced completely and deleted', async () => {
    await put('life');
    expect(await tagsOf('life')).toEqual({});
    await tag('life', [
      { Key: 'project', Value: 'a + b = c' },
      { Key: 'état/Länder @1', Value: '' },
    ]);
    expect(await tagsOf('life')).toEqual({ project: 'a + b = c', 'état/Länder @1': '' });
    await tag('life', [{ Key: 'only', Value: 'this' }]);
    expect(await tagsOf('life')).toEqual({ only: 'this' });
    const { $metadata } = await s3.client.send(new DeleteObjectTaggingCommand(s3.at('life')));
    expect($metadata.httpStatusCode).toBe(204);
    expect(await tagsOf('life')).toEqual({});
    await tag('life', []);
    expect(await tagsOf('life')).toEqual({});
  });

  it('are counted in responses to reads, unless there are none', async () => {
    await put('counted', 'a=1&b=2');
    expect((await s3.head('counted')).TagCount).toBe(2);
    const { TagCount, Body } = await s3.get('counted');
    expect([TagCount, await Body!.transformToString()]).toEqual([2, 'content of counted']);
    await tag('counted', []);
    expect((await s3.head('counted')).TagCount).toBeUndefined();
  });

  it('do not change other attributes of the object', async () => {
    await put('constant');
    const { ETag, LastModified, ContentLength } = await s3.head('constant');
    await tag('constant', [{ Key: 'a', Value: '1' }]);
    expect(await s3.head('constant')).toMatchObject({ ETag, LastModified, ContentLength });
  });

  it('are removed if the object is replaced or deleted', async () => {
    await put('mortal', 'a=1');
    await put('mortal');
    expect(await tagsOf('mortal')).toEqual({});
    await tag('mortal', [{ Key: 'b', Value: '2' }]);
    await s3.client.send(new DeleteObjectCommand(s3.at('mortal')));
    await put('mortal');
    expect(await tagsOf('mortal')).toEqual({});
  });

  it('survive a restart, with the content of the object', async () => {
    await put('lasting');
    await tag('lasting', [{ Key: 'a', Value: '1' }]);
    await s3.restart();
    expect(await tagsOf('lasting')).toEqual({ a: '1' });
    expect(await s3.text('lasting')).toBe('content of lasting');
  });

  it('are empty for an object that was stored before tags were supported', async () => {
    await put('old');
    const name = createHash('sha256').update('old').digest('hex');
    const path = s3.path('buckets', BUCKET, 'objects', `${name}.json`);
    const { tags: _, ...former } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(former));
    await s3.restart();
    expect(await tagsOf('old')).toEqual({});
    expect((await s3.head('old')).TagCount).toBeUndefined();
  });

  it.each([
    ['GetObjectTagging', () => new GetObjectTaggingCommand(s3.at('none'))],
    ['DeleteObjectTagging', () => new DeleteObjectTaggingCommand(s3.at('none'))],
    ['PutObjectTagging', () => new PutObjectTaggingCommand({ ...s3.at('none'), Tagging: { TagSet: [] } })],
  ] as const)('cannot be used without the object: %s', async (_, command) => {
    // The three commands have no type in common that `send` takes.
    const attempt = s3.client.send(command() as GetObjectTaggingCommand);
    await expect(attempt).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('tags in the header of a write', () => {
  it.each([
    ['a=1&b=two+words&c=%C3%A9%2F', { a: '1', b: 'two words', c: 'é/' }],
    ['plain&&also=', { plain: '', also: '' }],
    ['', {}],
  ])('are decoded like a query string: %j', async (header, tags) => {
    await put('written', header);
    expect(await tagsOf('written')).toEqual(tags);
  });

  it.each([
    ['a=1&a=2', 'InvalidArgument'],
    ['a=1,b=2', 'InvalidArgument'],
    ['=1', 'InvalidArgument'],
    ['a=%ff', 'InvalidArgument'],
    ['aws:owner=me', 'InvalidTag'],
    [`${'k'.repeat(129)}=1`, 'InvalidTag'],
    [Array.from({ length: 11 }, (_, index) => `t${index}=1`).join('&'), 'BadRequest'],
  ])('are refused together with the object: %j', async (header, name) => {
    const refusal = { name, $metadata: { httpStatusCode: 400 } };
    await expect(put('refused', header)).rejects.toMatchObject(refusal);
    await expect(s3.head('refused')).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('must be signed like any other x-amz header of a presigned request', async () => {
    const client = clientOf(s3.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(client, new PutObjectCommand(s3.at('presigned')));
    const answer = await fetch(url, { method: 'PUT', body: 'x', headers: { 'x-amz-tagging': 'a=1' } });
    expect([answer.status, errorCode({ body: await answer.text() })]).toEqual([403, 'AccessDenied']);
    const signed = await getSignedUrl(
      client,
      new PutObjectCommand({ ...s3.at('presigned'), Tagging: 'a=1' }),
    );
    expect((await fetch(signed, { method: 'PUT', body: 'x' })).status).toBe(200);
    expect(await tagsOf('presigned')).toEqual({ a: '1' });
    client.destroy();
  });

  it('that starts a multipart upload belong to the completed object', async () => {
    const create = new CreateMultipartUploadCommand({ ...s3.at('parts'), Tagging: 'from=parts' });
    const { UploadId } = await s3.client.send(create);
    // A restart in between: the tags are kept with the upload.
    await s3.restart();
    const part = { ...s3.at('parts'), UploadId, PartNumber: 1 };
    const { ETag } = await s3.client.send(new UploadPartCommand({ ...part, Body: 'x' }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await s3.client.send(
      new CompleteMultipartUploadCommand({ ...s3.at('parts'), UploadId, MultipartUpload }),
    );
    expect(await tagsOf('parts')).toEqual({ from: 'parts' });
  });

  it('are checked when a multipart upload starts, not when it is completed', async () => {
    const create = new CreateMultipartUploadCommand({ ...s3.at('parts'), Tagging: 'a=1&a=2' });
    await expect(s3.client.send(create)).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

describe('a copy of an object with tags', () => {
  const copy = async (input: Partial<CopyObjectCommandInput>) => {
    await put('source', 'from=source');
    const CopySource = `${BUCKET}/source`;
    await s3.client.send(new CopyObjectCommand({ ...s3.at('copy'), CopySource, ...input }));
    return tagsOf('copy');
  };

  it.each<[string, Partial<CopyObjectCommandInput>, object]>([
    ['of its source', {}, { from: 'source' }],
    ['of its source even if the request names others', { Tagging: 'from=request' }, { from: 'source' }],
    ['of its source with the directive COPY', { TaggingDirective: 'COPY' }, { from: 'source' }],
    [
      'of the request with the directive REPLACE',
      { TaggingDirective: 'REPLACE', Tagging: 'from=request' },
      { from: 'request' },
    ],
    ['of a request without tags with the directive REPLACE', { TaggingDirective: 'REPLACE' }, {}],
    ['of its source even if its metadata is replaced', { MetadataDirective: 'REPLACE' }, { from: 'source' }],
  ])('has the tags %s', async (_, input, tags) => {
    expect(await copy(input)).toEqual(tags);
  });

  it('is refused with an unknown directive', async () => {
    const TaggingDirective = 'MERGE' as 'COPY';
    await expect(copy({ TaggingDirective })).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

describe('PutObjectTagging', () => {
  const tags = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ Key: `tag ${index}`, Value: 'x' }));

  it('accepts ten tags with keys of 128 and values of 256 characters', async () => {
    await put('full');
    const full = tags(10).map(({ Key }) => ({ Key: Key.padEnd(128, 'é'), Value: '漢'.repeat(256) }));
    await tag('full', full);
    expect(Object.keys(await tagsOf('full'))).toHaveLength(10);
    expect((await s3.head('full')).TagCount).toBe(10);
  });

  it.each([
    ['eleven tags', tags(11), 'BadRequest'],
    ['a key of 129 characters', [{ Key: 'k'.repeat(129), Value: '' }], 'InvalidTag'],
    ['a value of 257 characters', [{ Key: 'k', Value: 'v'.repeat(257) }], 'InvalidTag'],
    ['a value of 129 characters of two units', [{ Key: 'k', Value: '𐐀'.repeat(129) }], 'InvalidTag'],
    ['an empty key', [{ Key: '', Value: '1' }], 'InvalidTag'],
    ['a key with a comma', [{ Key: 'a,b', Value: '1' }], 'InvalidTag'],
    ['a value with an emoji', [{ Key: 'a', Value: '🎬' }], 'InvalidTag'],
    ['a key that starts with aws:', [{ Key: 'aws:created', Value: '1' }], 'InvalidTag'],
    ['the same key twice', [...tags(1), ...tags(1)], 'InvalidTag'],
  ])('refuses %s and does not change the tags', async (_, TagSet, name) => {
    await put('held', 'a=1');
    await expect(tag('held', TagSet)).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
    expect(await tagsOf('held')).toEqual({ a: '1' });
  });

  const DOCUMENT = '<Tagging><TagSet><Tag><Key>b</Key><Value>2</Value></Tag></TagSet></Tagging>';
  const send = async (body: string, headers: Record<string, string>) => {
    await put('raw', 'a=1');
    return s3.sendSigned({ method: 'PUT', path: `/${BUCKET}/raw`, query: 'tagging=', headers, body });
  };
  const md5 = (body: string) => ({ 'content-md5': createHash('md5').update(body).digest('base64') });

  it('requires a checksum of its body', async () => {
    const without = await send(DOCUMENT, {});
    expect([without.status, errorCode(without)]).toEqual([400, 'InvalidRequest']);
    expect(await tagsOf('raw')).toEqual({ a: '1' });
    expect(await send(DOCUMENT, md5(DOCUMENT))).toMatchObject({ status: 200 });
    expect(await tagsOf('raw')).toEqual({ b: '2' });
  });

  it.each([
    ['<Tags/>'],
    ['<Tagging><TagSet><Tag><Key>b</Key></Tag></TagSet></Tagging>'],
    ['<Tagging><TagSet><Tag><Value>2</Value></Tag></TagSet></Tagging>'],
    ['<Tagging><TagSet><Label><Key>b</Key><Value>2</Value></Label></TagSet></Tagging>'],
    ['<Tagging><TagSet></Tagging>'],
  ])('refuses the body %s', async (body) => {
    const answer = await send(body, md5(body));
    expect([answer.status, errorCode(answer)]).toEqual([400, 'MalformedXML']);
    expect(await tagsOf('raw')).toEqual({ a: '1' });
  });
});
