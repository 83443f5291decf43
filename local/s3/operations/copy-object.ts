/** CopyObject: stores new metadata that refer to the same immutable data, so no bytes are copied. */
import { permissionsOfS3 } from '../auth/permissions.ts';
import { algorithmNamed, type ChecksumAlgorithm, checksumElements } from '../body/checksums.ts';
import { MAX_BODY_BYTES } from '../body/receive.ts';
import { writeCondition } from '../conditions.ts';
import { S3Error } from '../errors.ts';
import { encryptionHeaders, headersToKeep } from '../object-headers.ts';
import type { S3Request } from '../request.ts';
import type { ObjectRecord, Tag } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { tagsInHeader } from '../tags.ts';
import { copySource, digestOf, readCopySource } from './copy-source.ts';
import { bucketOf, type Operation, xmlResponse } from './operation.ts';

export const copyObject: Operation = async (context) => {
  const { request, store, now } = context;
  const bucket = bucketOf(context);
  const key = request.key!;
  const source = copySource(request, store);
  const headers = headersOfCopy(request, source.record);
  const tags = tagsOfCopy(request, source.record);
  if (tags.length > 0 && request.header('x-amz-tagging-directive') !== 'REPLACE') {
    context.permit.require([
      ...permissionsOfS3({ name: 'GetObjectTagging', ...readCopySource(request) }),
      ...permissionsOfS3({ name: 'PutObjectTagging', bucket: request.bucket!, key, tags }),
    ]);
  }
  const changesNothing =
    source.bucket === request.bucket &&
    source.record.key === key &&
    source.isCurrent &&
    !changesHeaders(request);
  if (changesNothing) {
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  if (source.record.size > MAX_BODY_BYTES) {
    throw new S3Error(
      'InvalidRequest',
      'The specified copy source is larger than the maximum allowable size for a copy source.',
    );
  }
  const checkCondition = writeCondition(request);
  const { segments } = source.record;
  store.data.retain(segments);
  try {
    const record: ObjectRecord = {
      key,
      size: source.record.size,
      modified: now(),
      headers,
      tags,
      checksumType: 'FULL_OBJECT',
      segments,
      ...(await digestOfCopy(store, source.record, wantedAlgorithm(request))),
    };
    await bucket.exclusively(key, async () => {
      checkCondition(bucket.objects.get(key));
      await bucket.place(record);
    });
    return xmlResponse(
      'CopyObjectResult',
      {
        LastModified: new Date(record.modified).toISOString(),
        ETag: `"${record.etag}"`,
        ...checksumElements(record.checksums),
      },
      encryptionHeaders(headers),
    );
  } catch (error) {
    await store.data.release(segments);
    throw error;
  }
};

function headersOfCopy(request: S3Request, source: ObjectRecord): Record<string, string> {
  const given = headersToKeep(request);
  switch (request.header('x-amz-metadata-directive') ?? 'COPY') {
    case 'REPLACE':
      return given;
    case 'COPY':
      return { ...source.headers, ...encryptionHeaders(given) };
    default:
      throw new S3Error('InvalidArgument', 'Unknown metadata directive.');
  }
}

/** Returns the tags of the copy. With the directive COPY, the tags of the request are ignored. */
function tagsOfCopy(request: S3Request, source: ObjectRecord): Tag[] {
  const directive = request.header('x-amz-tagging-directive') ?? 'COPY';
  switch (directive) {
    case 'REPLACE':
      return tagsInHeader(request);
    case 'COPY':
      return source.tags;
    default:
      throw new S3Error('InvalidArgument', 'Unknown tagging directive.', {
        ArgumentName: 'x-amz-tagging-directive',
        ArgumentValue: directive,
      });
  }
}

function changesHeaders(request: S3Request): boolean {
  const replaces = request.header('x-amz-metadata-directive') === 'REPLACE';
  return replaces || request.header('x-amz-server-side-encryption') !== undefined;
}

function wantedAlgorithm(request: S3Request): ChecksumAlgorithm | undefined {
  const name = request.header('x-amz-checksum-algorithm');
  return name === undefined ? undefined : algorithmNamed(name);
}

/** Keeps checksums of the whole object. The copy of a multipart object gets a new ETag: the MD5 of its content. */
async function digestOfCopy(store: Store, source: ObjectRecord, wanted: ChecksumAlgorithm | undefined) {
  const isKnown =
    !source.etag.includes('-') && (wanted === undefined || source.checksums[wanted] !== undefined);
  if (isKnown) return { etag: source.etag, checksums: source.checksums };
  const algorithms = wanted ? [wanted] : (Object.keys(source.checksums) as ChecksumAlgorithm[]);
  return digestOf(store, source.segments, algorithms);
}
