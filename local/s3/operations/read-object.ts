import { isWanted, rangeApplies } from '../conditions.ts';
import { checksumHeaders, overriddenHeaders } from '../object-headers.ts';
import { parseRange } from '../range.ts';
import type { ObjectRecord } from '../store/records.ts';
import { objectIn } from '../store/store.ts';
import { bucketOf, type Operation, type OperationContext, type S3Response } from './operation.ts';

export const getObject: Operation = async (context) => {
  const record = asked(context);
  const { response, start, end } = describe(context, record);
  if (response.status === 304) return response;
  return { ...response, body: context.store.data.read(record.segments, start, end) };
};

export const headObject: Operation = async (context) => describe(context, asked(context)).response;

const asked = (context: OperationContext): ObjectRecord =>
  objectIn(bucketOf(context), context.request.key!, context.request.parameter('versionId'));

/** Returns the answer without its body, and the range of bytes in the body. */
function describe(
  { request }: OperationContext,
  record: ObjectRecord,
): { response: S3Response; start: number; end: number } {
  const validators = {
    ETag: `"${record.etag}"`,
    'Last-Modified': new Date(record.modified).toUTCString(),
    'Accept-Ranges': 'bytes',
    ...(record.versionId && { 'x-amz-version-id': record.versionId }),
  };
  if (!isWanted(request, record)) return { response: { status: 304, headers: validators }, start: 0, end: 0 };

  const range = rangeApplies(request, record) ? parseRange(request.header('range'), record.size) : undefined;
  const { start, end } = range ?? { start: 0, end: record.size };
  const wantsChecksum = request.header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
  const headers = {
    ...validators,
    ...record.headers,
    ...(record.tags.length > 0 && { 'x-amz-tagging-count': String(record.tags.length) }),
    ...overriddenHeaders(request),
    'Content-Length': String(end - start),
    ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${record.size}` }),
    // A range gets no checksum, because the stored checksum is that of the whole object.
    ...(wantsChecksum && !range && checksumHeaders(record)),
  };
  return { response: { status: range ? 206 : 200, headers }, start, end };
}
