import { uriEncode } from '../../sigv4.ts';
import { S3Error } from '../errors.ts';
import type { Bucket } from '../store/bucket.ts';
import type { ObjectRecord } from '../store/records.ts';
import { compareUtf8 } from '../store/sorted-keys.ts';
import { bucketOf, type Operation, pageSize, xmlResponse } from './operation.ts';

export const listObjects: Operation = async (context) => {
  const { request } = context;
  if (request.parameter('list-type') !== '2') throw new S3Error('NotImplemented');
  const bucket = bucketOf(context);
  const encode = keyEncoding(request.parameter('encoding-type'));
  const [prefix, delimiter] = [request.parameter('prefix') ?? '', request.parameter('delimiter') ?? ''];
  const token = request.parameter('continuation-token');
  const startAfter = request.parameter('start-after');
  const maxKeys = pageSize(request, 'max-keys');
  const from = token === undefined ? { name: startAfter ?? '', isPrefix: false } : readToken(token);
  const page = listPage(bucket, { prefix, delimiter, from, maxKeys });

  return xmlResponse('ListBucketResult', {
    Name: request.bucket!,
    Prefix: encode(prefix),
    Delimiter: delimiter ? encode(delimiter) : undefined,
    MaxKeys: maxKeys,
    KeyCount: page.entries.length,
    EncodingType: request.parameter('encoding-type'),
    ContinuationToken: token,
    StartAfter: startAfter === undefined ? undefined : encode(startAfter),
    IsTruncated: page.next !== undefined,
    NextContinuationToken: page.next && writeToken(page.next),
    Contents: page.entries.flatMap(({ record }) =>
      record ? [contentsOf(record, encode, request.parameter('fetch-owner') === 'true')] : [],
    ),
    CommonPrefixes: page.entries.flatMap(({ name, isPrefix }) =>
      isPrefix ? [{ Prefix: encode(name) }] : [],
    ),
  });
};

/** Returns a function that encodes keys. `encoding-type=url` is for keys that XML cannot contain. Throws InvalidArgument for other types. */
export function keyEncoding(type: string | undefined): (key: string) => string {
  if (type === undefined) return (key) => key;
  if (type !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
  return (key) => key.split('/').map(uriEncode).join('/');
}

/** A position in the results: a key, or a common prefix that stands for all keys that begin with it. */
type Position = { name: string; isPrefix: boolean };
type Entry = Position & { record?: ObjectRecord };
type Query = { prefix: string; delimiter: string; from: Position; maxKeys: number };

/** Finds one page of results. Jumps from one result to the next in the index, so a common prefix takes one step, even with many keys. */
function listPage(
  bucket: Bucket,
  { prefix, delimiter, from, maxKeys }: Query,
): { entries: Entry[]; next?: Position } {
  const entries: Entry[] = [];
  let key = firstKey(bucket, prefix, from);
  while (key?.startsWith(prefix)) {
    const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    const name = cut < 0 ? key : key.slice(0, cut + delimiter.length);
    const isAlreadyListed = cut >= 0 && name === from.name;
    if (!isAlreadyListed) {
      const last = entries.at(-1);
      if (entries.length === maxKeys)
        return last ? { entries, next: { name: last.name, isPrefix: last.isPrefix } } : { entries };
      entries.push(
        cut < 0 ? { name, isPrefix: false, record: bucket.objects.get(key)! } : { name, isPrefix: true },
      );
    }
    key = cut < 0 ? bucket.objects.after(key) : bucket.objects.afterPrefix(name);
  }
  return { entries };
}

function firstKey({ objects }: Bucket, prefix: string, from: Position): string | undefined {
  if (compareUtf8(from.name, prefix) < 0 || from.name === '') return objects.atOrAfter(prefix);
  return from.isPrefix ? objects.afterPrefix(from.name) : objects.after(from.name);
}

function contentsOf(record: ObjectRecord, encode: (key: string) => string, withOwner: boolean) {
  const [algorithm] = Object.keys(record.checksums);
  return {
    Key: encode(record.key),
    LastModified: new Date(record.modified).toISOString(),
    ETag: `"${record.etag}"`,
    ChecksumAlgorithm: algorithm,
    ChecksumType: algorithm && record.checksumType,
    Size: record.size,
    Owner: withOwner ? { ID: 'local' } : undefined,
    StorageClass: record.headers['x-amz-storage-class'] ?? 'STANDARD',
  };
}

function writeToken({ name, isPrefix }: Position): string {
  return Buffer.from(`${isPrefix ? 'p' : 'k'}${name}`).toString('base64url');
}

function readToken(token: string): Position {
  const text = Buffer.from(token, 'base64url').toString();
  if (!/^[pk]/.test(text))
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  return { name: text.slice(1), isPrefix: text.startsWith('p') };
}
