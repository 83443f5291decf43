import { receive } from '../body/receive.ts';
import { writeCondition } from '../conditions.ts';
import { checksumHeaders, encryptionHeaders, headersToKeep } from '../object-headers.ts';
import type { ObjectRecord } from '../store/records.ts';
import { tagsInHeader } from '../tags.ts';
import { bucketOf, type Operation } from './operation.ts';

export const putObject: Operation = async (context) => {
  const { request, payload, store, now } = context;
  const bucket = bucketOf(context);
  const key = request.key!;
  const headers = headersToKeep(request);
  const tags = tagsInHeader(request);
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
    tags,
    checksums: result.checksums,
    checksumType: 'FULL_OBJECT',
    segments,
  };
  let placed = record;
  try {
    await bucket.exclusively(key, async () => {
      checkCondition(bucket.objects.get(key));
      placed = await bucket.place(record);
    });
  } catch (error) {
    await store.data.release(segments);
    throw error;
  }
  return {
    status: 200,
    headers: {
      ETag: `"${record.etag}"`,
      ...(placed.versionId && { 'x-amz-version-id': placed.versionId }),
      ...checksumHeaders(record),
      ...encryptionHeaders(headers),
    },
  };
};
