/** PutObject and DeleteObject, DeleteObjects. */

import { receive, receiveText } from '../body/receive.ts';
import { writeCondition } from '../conditions.ts';
import { S3Error } from '../errors.ts';
import { checksumHeaders, encryptionHeaders, headersToKeep } from '../object-headers.ts';
import type { Bucket } from '../store/bucket.ts';
import type { ObjectRecord } from '../store/records.ts';
import { childText, parseXml, type XmlContent, type XmlElement } from '../xml.ts';
import { bucketOf, type Operation, xmlResponse } from './operation.ts';

export const putObject: Operation = async (context) => {
  const { request, payload, store, now } = context;
  const bucket = bucketOf(context);
  const key = request.key!;
  const headers = headersToKeep(request);
  const checkCondition = writeCondition(request);
  checkCondition(bucket.objects.get(key));

  const { file, result } = await store.data.write((append) => receive(request, payload, append));
  const segments = [{ file, offset: 0, size: result.size }];
  const record: ObjectRecord = {
    key,
    size: result.size,
    etag: result.md5.toString('hex'),
    modified: now(),
    headers,
    checksums: result.checksums,
    checksumType: 'FULL_OBJECT',
    segments,
  };
  try {
    await bucket.exclusively(key, async () => {
      checkCondition(bucket.objects.get(key));
      await bucket.place(record);
    });
  } catch (error) {
    await store.data.release(segments);
    throw error;
  }
  return {
    status: 200,
    headers: { ETag: `"${record.etag}"`, ...checksumHeaders(record), ...encryptionHeaders(headers) },
  };
};

export const deleteObject: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = context.request.key!;
  const checkCondition = writeCondition(context.request);
  await bucket.exclusively(key, async () => {
    checkCondition(bucket.objects.get(key));
    await bucket.remove(key);
  });
  return { status: 204 };
};

/** DeleteObjects takes up to 1000 keys of up to 1,024 bytes, each byte perhaps an entity. */
const MAX_DELETE_BYTES = 8 * 1024 * 1024;
const MAX_DELETE_KEYS = 1000;

export const deleteObjects: Operation = async (context) => {
  const { request, payload } = context;
  const bucket = bucketOf(context);
  const names = request.headerNames();
  const isProtected =
    names.includes('content-md5') || names.some((name) => /^x-amz-(checksum-|trailer$)/.test(name));
  if (!isProtected) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: Content-MD5');
  }
  const document = parseXml(await receiveText(request, payload, MAX_DELETE_BYTES));
  const objects = document?.children.filter((child) => child.name === 'Object') ?? [];
  if (document?.name !== 'Delete' || objects.length === 0 || objects.length > MAX_DELETE_KEYS) {
    throw new S3Error('MalformedXML');
  }
  const keys = objects.map(keyToDelete);
  for (const key of keys) await deleteKey(bucket, key);
  const isQuiet = childText(document, 'Quiet') === 'true';
  const deleted: XmlContent[] = isQuiet ? [] : keys.map((key) => ({ Key: key }));
  return xmlResponse('DeleteResult', { Deleted: deleted });
};

function keyToDelete(object: XmlElement): string {
  const key = childText(object, 'Key');
  if (!key) throw new S3Error('MalformedXML');
  const unsupported = object.children.find((child) => child.name !== 'Key');
  if (unsupported) throw new S3Error('NotImplemented', undefined, { Element: unsupported.name });
  return key;
}

async function deleteKey(bucket: Bucket, key: string): Promise<void> {
  await bucket.exclusively(key, () => bucket.remove(key));
}
