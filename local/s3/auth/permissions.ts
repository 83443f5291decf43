/** Determines the permissions that an S3 operation needs. Amazon S3 User Guide, "Required permissions for Amazon S3 API operations". */
import type { Access } from '../../iam/evaluate.ts';
import type { Context } from '../../iam/patterns.ts';

/** An operation by its name in the API, and the members of its request that determine the needed permissions. */
export type S3Operation = {
  name: string;
  bucket?: string;
  key?: string;
  versionId?: string;
  /** The object that a copy reads: its bucket, key and version. */
  source?: { bucket: string; key: string; versionId?: string };
  /** The tags that a write gives to the object. */
  tags?: readonly { key: string; value: string }[];
  prefix?: string;
  delimiter?: string;
  maxKeys?: string;
};

type Needed = { action: string; on: 'bucket' | 'object' | 'source' | 'account'; versioned?: string };

const object = (action: string, versioned?: string): Needed[] => [
  { action, on: 'object', ...(versioned && { versioned }) },
];
const bucket = (action: string): Needed[] => [{ action, on: 'bucket' }];
const source: Needed = { action: 'GetObject', on: 'source', versioned: 'GetObjectVersion' };

/** The permissions that each operation needs. DeleteObjects needs a permission for each key, which the operation checks. */
const needed: Readonly<Record<string, Needed[]>> = {
  ListBuckets: [{ action: 'ListAllMyBuckets', on: 'account' }],
  CreateBucket: bucket('CreateBucket'),
  HeadBucket: bucket('ListBucket'),
  ListObjectsV2: bucket('ListBucket'),
  ListObjectVersions: bucket('ListBucketVersions'),
  ListMultipartUploads: bucket('ListBucketMultipartUploads'),
  DeleteObjects: [],
  GetObject: object('GetObject', 'GetObjectVersion'),
  HeadObject: object('GetObject', 'GetObjectVersion'),
  PutObject: object('PutObject'),
  CopyObject: [source, ...object('PutObject')],
  DeleteObject: object('DeleteObject', 'DeleteObjectVersion'),
  GetObjectTagging: object('GetObjectTagging', 'GetObjectVersionTagging'),
  PutObjectTagging: object('PutObjectTagging', 'PutObjectVersionTagging'),
  DeleteObjectTagging: object('DeleteObjectTagging', 'DeleteObjectVersionTagging'),
  CreateMultipartUpload: object('PutObject'),
  UploadPart: object('PutObject'),
  UploadPartCopy: [source, ...object('PutObject')],
  CompleteMultipartUpload: object('PutObject'),
  ListParts: object('ListMultipartUploadParts'),
  AbortMultipartUpload: object('AbortMultipartUpload'),
};

export function permissionsOfS3(operation: S3Operation): Access[] {
  const { name, tags = [] } = operation;
  const list = needed[name];
  if (list === undefined) throw new Error(`The permissions of ${name} are not known.`);
  const writesTags = tags.length > 0 && name !== 'PutObjectTagging' ? object('PutObjectTagging') : [];
  return [...list, ...writesTags].map((one) => accessOf(one, operation));
}

/** The permission to list a bucket. Without it, a caller gets 403 instead of 404 for an object that does not exist. */
export const permissionToList = (bucketName: string): Access[] =>
  permissionsOfS3({ name: 'ListObjectsV2', bucket: bucketName });

function accessOf({ action, on, versioned }: Needed, operation: S3Operation): Access {
  const { bucket: bucketName = '', key = '', versionId, source: copied } = operation;
  const place = on === 'source' && copied ? copied : { bucket: bucketName, key, versionId };
  const isVersioned = versioned !== undefined && place.versionId !== undefined;
  return {
    action: `s3:${isVersioned ? versioned : action}`,
    resource: resourceOf(on, place),
    context: contextOf(operation, place.versionId),
  };
}

function resourceOf(on: Needed['on'], place: { bucket: string; key: string }): string {
  if (on === 'account') return '*';
  const arn = `arn:aws:s3:::${place.bucket}`;
  return on === 'bucket' ? arn : `${arn}/${place.key}`;
}

function contextOf(operation: S3Operation, versionId?: string): Context {
  const { name, tags = [] } = operation;
  const listing: Partial<S3Operation> = name.startsWith('ListObject') ? operation : {};
  const { prefix, delimiter, maxKeys } = listing;
  return {
    ...(prefix !== undefined && { 's3:prefix': [prefix] }),
    ...(delimiter !== undefined && { 's3:delimiter': [delimiter] }),
    ...(maxKeys !== undefined && { 's3:max-keys': [maxKeys] }),
    ...(versionId !== undefined && { 's3:versionid': [versionId] }),
    ...(tags.length > 0 && { 's3:requestobjecttagkeys': tags.map(({ key }) => key) }),
    ...Object.fromEntries(
      tags.map(({ key, value }) => [`s3:requestobjecttag/${key.toLowerCase()}`, [value]]),
    ),
  };
}
