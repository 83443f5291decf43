/** Empties buckets: all versions of objects, and the parts of unfinished uploads. */
import {
  AbortMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Failure } from '../deployment/failure.ts';

interface Emptied {
  /** The number of deleted object versions and delete markers. */
  readonly versions: number;
  readonly uploads: number;
}

/** Deletes all versions and unfinished uploads. A missing bucket counts as empty. */
export async function emptyBucket(client: S3Client, Bucket: string): Promise<Emptied> {
  const emptied = { versions: 0, uploads: 0 };
  try {
    for (let deleted = 1; deleted > 0; emptied.versions += deleted)
      deleted = await deletePage(client, Bucket);
    for (let aborted = 1; aborted > 0; emptied.uploads += aborted) aborted = await abortPage(client, Bucket);
  } catch (error) {
    if (!isNoBucket(error)) throw error;
  }
  return emptied;
}

/** Deletes the first page of versions. The next call deletes the next page. S3 lists and deletes at most 1,000 versions in one call. */
async function deletePage(client: S3Client, Bucket: string): Promise<number> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  if (Objects.length === 0) return 0;
  const { Errors = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
  );
  if (Errors[0] === undefined) return Objects.length;
  const { Key, Code, Message } = Errors[0];
  throw new Failure(
    `${Errors.length} objects of ${Bucket} cannot be deleted, first ${Key}: ${Code}: ${Message}`,
    'Use credentials that allow s3:DeleteObjectVersion there. Objects under an Object Lock can be deleted when it ends.',
  );
}

async function abortPage(client: S3Client, Bucket: string): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  for (const { Key, UploadId } of Uploads)
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  return Uploads.length;
}

/** Empties and deletes the bucket. Repeats if objects were written meanwhile. */
export async function removeBucket(client: S3Client, Bucket: string): Promise<Emptied> {
  for (let attempt = 1; ; attempt += 1) {
    const emptied = await emptyBucket(client, Bucket);
    try {
      await client.send(new DeleteBucketCommand({ Bucket }));
      return emptied;
    } catch (error) {
      if (isNoBucket(error)) return emptied;
      if (!isNotEmpty(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The number of attempts to delete a bucket. S3 delivers access logs hours after the requests, so new objects may appear. */
const ATTEMPTS = 5;

const isNoBucket = (error: unknown) => error instanceof Error && error.name === 'NoSuchBucket';
const isNotEmpty = (error: unknown) => error instanceof Error && error.name === 'BucketNotEmpty';
