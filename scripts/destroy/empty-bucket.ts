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

export interface Emptied {
  /** Object versions and delete markers. */
  readonly versions: number;
  readonly uploads: number;
}

/**
 * A missing bucket counts as empty.
 * @param onCount called with the number deleted so far
 */
export async function emptyBucket(
  client: S3Client,
  Bucket: string,
  onCount: (emptied: Emptied) => void = () => {},
): Promise<Emptied> {
  let emptied: Emptied = { versions: 0, uploads: 0 };
  const count = (more: Partial<Emptied>) => {
    emptied = {
      versions: emptied.versions + (more.versions ?? 0),
      uploads: emptied.uploads + (more.uploads ?? 0),
    };
    onCount(emptied);
  };
  try {
    while ((await deletePage(client, Bucket, count)) > 0);
    while ((await abortPage(client, Bucket, count)) > 0);
  } catch (error) {
    if (!isNoBucket(error)) throw error;
  }
  return emptied;
}

/** Deletes the first page of versions; the next listing begins after them. S3 lists and deletes at most 1,000 at once. */
async function deletePage(client: S3Client, Bucket: string, count: Count): Promise<number> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  if (Objects.length === 0) return 0;
  const { Errors = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
  );
  if (Errors[0] !== undefined) {
    const { Key, Code, Message } = Errors[0];
    throw new Failure({
      says: `${Errors.length} objects of ${Bucket} cannot be deleted, first ${Key}: ${Code}: ${Message}`,
      cure: 'Use credentials that allow s3:DeleteObjectVersion there. Objects under an Object Lock can be deleted when it ends.',
    });
  }
  count({ versions: Objects.length });
  return Objects.length;
}

async function abortPage(client: S3Client, Bucket: string, count: Count): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  for (const { Key, UploadId } of Uploads)
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  count({ uploads: Uploads.length });
  return Uploads.length;
}

type Count = (more: Partial<Emptied>) => void;

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

/** S3 delivers access logs hours after the requests. */
const ATTEMPTS = 5;

const isNoBucket = (error: unknown) => error instanceof Error && error.name === 'NoSuchBucket';
const isNotEmpty = (error: unknown) => error instanceof Error && error.name === 'BucketNotEmpty';
