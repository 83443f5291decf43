/** Finds the object that a copy reads: x-amz-copy-source and its conditions. */
import { createHash } from 'node:crypto';
import { type ChecksumAlgorithm, type Checksums, startChecksum } from '../body/checksums.ts';
import { checkCopySource } from '../conditions.ts';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import type { Segment } from '../store/data-files.ts';
import type { ObjectRecord } from '../store/records.ts';
import { objectIn, type Store } from '../store/store.ts';

/** Reads the x-amz-copy-source header. Throws InvalidArgument if the bucket or the key is missing, NotImplemented for other parameters. */
export function readCopySource(request: S3Request): { bucket: string; key: string; versionId?: string } {
  const [path, version] = request.header('x-amz-copy-source')!.split('?', 2);
  const [, versionId] = /^versionId=([^&]+)$/.exec(version ?? '') ?? [];
  if (version !== undefined && versionId === undefined)
    throw new S3Error('NotImplemented', undefined, { Header: 'x-amz-copy-source' });
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decodeSource(path!)) ?? [];
  if (!bucket || !key) {
    throw new S3Error(
      'InvalidArgument',
      'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    );
  }
  return { bucket, key, ...(versionId !== undefined && { versionId }) };
}

/** Finds the source of a copy. Throws if the source does not exist or does not meet the conditions of the request. */
export function copySource(
  request: S3Request,
  store: Store,
): { bucket: string; record: ObjectRecord; isCurrent: boolean } {
  const { bucket, key, versionId } = readCopySource(request);
  const record = objectIn(store.bucket(bucket), key, versionId);
  checkCopySource(request, record);
  return { bucket, record, isCurrent: store.bucket(bucket).objects.get(key) === record };
}

/** Computes the MD5 (hex) and the checksums of stored bytes. */
export async function digestOf(
  store: Store,
  segments: Segment[],
  algorithms: ChecksumAlgorithm[],
): Promise<{ etag: string; checksums: Checksums }> {
  const size = segments.reduce((sum, segment) => sum + segment.size, 0);
  const md5 = createHash('md5');
  const running = algorithms.map((algorithm) => [algorithm, startChecksum(algorithm)] as const);
  for await (const data of store.data.read(segments, 0, size)) {
    md5.update(data);
    for (const [, checksum] of running) checksum.update(data);
  }
  const checksums = Object.fromEntries(
    running.map(([algorithm, checksum]) => [algorithm, checksum.digest().toString('base64')]),
  );
  return { etag: md5.digest('hex'), checksums };
}

function decodeSource(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidArgument', 'Invalid copy source encoding.');
  }
}
