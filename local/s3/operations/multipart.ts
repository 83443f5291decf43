/** CreateMultipartUpload, UploadPart, UploadPartCopy, AbortMultipartUpload. */
import {
  algorithmNamed,
  type ChecksumAlgorithm,
  type ChecksumType,
  checksumElements,
} from '../body/checksums.ts';
import { MAX_BODY_BYTES, receive } from '../body/receive.ts';
import { S3Error } from '../errors.ts';
import { checksumHeaders, encryptionHeaders, headersToKeep } from '../object-headers.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/bucket.ts';
import { cut } from '../store/data-files.ts';
import type { PartRecord, UploadRecord } from '../store/records.ts';
import { abortUpload, type Store } from '../store/store.ts';
import type { Upload } from '../store/uploads.ts';
import { tagsInHeader } from '../tags.ts';
import { copySource, digestOf } from './copy-source.ts';
import { bucketOf, integerParameter, type Operation, xmlResponse } from './operation.ts';

/** The maximum number of parts. Amazon S3 numbers them from 1. */
export const MAX_PARTS = 10_000;

export const createMultipartUpload: Operation = async (context) => {
  const { request, now } = context;
  const bucket = bucketOf(context);
  const headers = headersToKeep(request);
  const tags = tagsInHeader(request);
  const checksum = checksumOfUpload(request);
  const description = { key: request.key!, initiated: now(), headers, tags, ...(checksum && { checksum }) };
  const upload = await bucket.uploads.create(description);
  return xmlResponse(
    'InitiateMultipartUploadResult',
    { Bucket: request.bucket!, Key: upload.key, UploadId: upload.id },
    {
      ...encryptionHeaders(headers),
      ...(checksum && {
        'x-amz-checksum-algorithm': checksum.algorithm,
        'x-amz-checksum-type': checksum.type,
      }),
    },
  );
};

export const uploadPart: Operation = async (context) => {
  const { request, payload, store, now } = context;
  const bucket = bucketOf(context);
  const upload = uploadOf(request, bucket);
  const number = partNumber(request);
  const wanted = upload.checksum ? [upload.checksum.algorithm] : [];

  const { file, result } = await store.data.write((append) => receive(request, payload, append, { wanted }));
  const part: PartRecord = {
    number,
    size: result.size,
    etag: result.md5.toString('hex'),
    modified: now(),
    checksums: result.checksums,
    segments: [{ file, offset: 0, size: result.size }],
  };
  await addPart(store, bucket, upload, part);
  const { 'x-amz-checksum-type': _ofObjectsOnly, ...checksums } = checksumHeaders({
    ...part,
    checksumType: 'FULL_OBJECT',
  });
  return {
    status: 200,
    headers: { ETag: `"${part.etag}"`, ...checksums, ...encryptionHeaders(upload.headers) },
  };
};

export const uploadPartCopy: Operation = async (context) => {
  const { request, store, now } = context;
  const bucket = bucketOf(context);
  const upload = uploadOf(request, bucket);
  const number = partNumber(request);
  const { record: source } = copySource(request, store);
  const { start, end } = copyRange(request.header('x-amz-copy-source-range'), source.size);
  const segments = cut(source.segments, start, end);

  const algorithms = upload.checksum ? [upload.checksum.algorithm] : [];
  store.data.retain(segments);
  const part = await digestOf(store, segments, algorithms).catch(async (error) => {
    await store.data.release(segments);
    throw error;
  });
  const modified = now();
  await addPart(store, bucket, upload, { number, size: end - start, modified, segments, ...part });
  return xmlResponse('CopyPartResult', {
    LastModified: new Date(modified).toISOString(),
    ETag: `"${part.etag}"`,
    ...checksumElements(part.checksums),
  });
};

export const abortMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  await abortUpload(bucket, uploadOf(context.request, bucket));
  return { status: 204 };
};

/** Returns the upload of a request. Throws NoSuchUpload if it does not exist or belongs to another key. */
export function uploadOf(request: S3Request, bucket: Bucket): Upload {
  const id = request.parameter('uploadId')!;
  const upload = bucket.uploads.get(id);
  if (upload?.key !== request.key) throw noSuchUpload(id);
  return upload!;
}

export function noSuchUpload(id: string): S3Error {
  return new S3Error('NoSuchUpload', undefined, { UploadId: id });
}

/** Adds a part. From then on, the part owns the references to its data. Releases them if the upload has ended in the meantime. */
async function addPart(store: Store, bucket: Bucket, upload: Upload, part: PartRecord): Promise<void> {
  try {
    await bucket.exclusively(upload.key, async () => {
      if (!bucket.uploads.get(upload.id)) throw noSuchUpload(upload.id);
      await bucket.uploads.placePart(upload, part);
    });
  } catch (error) {
    await store.data.release(part.segments);
    throw error;
  }
}

function partNumber(request: S3Request): number {
  return integerParameter(request, 'partNumber', { least: 1, most: MAX_PARTS });
}

const defaultTypes: Record<ChecksumAlgorithm, ChecksumType> = {
  CRC32: 'COMPOSITE',
  CRC32C: 'COMPOSITE',
  CRC64NVME: 'FULL_OBJECT',
  SHA1: 'COMPOSITE',
  SHA256: 'COMPOSITE',
};

/** Reads the kind of checksum. Source: "Checking object integrity" in the Amazon S3 user guide, the table of checksum types. */
function checksumOfUpload(request: S3Request): UploadRecord['checksum'] {
  const name = request.header('x-amz-checksum-algorithm');
  if (name === undefined) return undefined;
  const algorithm = algorithmNamed(name);
  const type = request.header('x-amz-checksum-type') ?? defaultTypes[algorithm];
  if (type !== 'COMPOSITE' && type !== 'FULL_OBJECT') {
    throw new S3Error('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.');
  }
  const isOffered = type === 'FULL_OBJECT' ? !algorithm.startsWith('SHA') : algorithm !== 'CRC64NVME';
  if (!isOffered) {
    throw new S3Error(
      'InvalidRequest',
      `The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
    );
  }
  return { algorithm, type };
}

/** Parses x-amz-copy-source-range. Unlike Range, it must contain both ends, and both must be within the source. */
function copyRange(header: string | undefined, size: number): { start: number; end: number } {
  if (header === undefined) return limited({ start: 0, end: size });
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  if (first === undefined || last === undefined || Number(last) < Number(first)) {
    throw new S3Error(
      'InvalidArgument',
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
    );
  }
  if (Number(last) >= size) {
    throw new S3Error(
      'InvalidRequest',
      `The specified copy range is invalid for the source object size: ${size}`,
    );
  }
  return limited({ start: Number(first), end: Number(last) + 1 });
}

function limited(range: { start: number; end: number }): { start: number; end: number } {
  if (range.end - range.start > MAX_BODY_BYTES) {
    throw new S3Error(
      'InvalidRequest',
      'The specified copy source is larger than the maximum allowable size for a part.',
    );
  }
  return range;
}
