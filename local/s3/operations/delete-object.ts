/** DeleteObject, and DeleteObjects for up to a thousand keys. */
import { permissionsOfS3 } from '../auth/permissions.ts';
import { receiveProvenText } from '../body/receive.ts';
import { requireMatch, writeCondition } from '../conditions.ts';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/bucket.ts';
import { childrenOf, childText, parseXml, type XmlElement } from '../xml.ts';
import { bucketOf, type Operation, type OperationContext, xmlResponse } from './operation.ts';

export const deleteObject: Operation = async (context) => {
  const { request, now } = context;
  const bucket = bucketOf(context);
  const key = request.key!;
  refuseUnofferedConditions(request);
  const checkCondition = writeCondition(request);
  const marker = await bucket.exclusively(key, async () => {
    checkCondition(bucket.objects.get(key));
    return bucket.remove(key, now());
  });
  if (marker === undefined) return { status: 204 };
  return { status: 204, headers: { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.versionId } };
};

/** Removes a version. Succeeds if the version does not exist. */
export const deleteVersion: Operation = async (context) => {
  const { request } = context;
  const bucket = bucketOf(context);
  const [key, versionId] = [request.key!, request.parameter('versionId')!];
  await bucket.exclusively(key, () => bucket.removeVersion(key, versionId));
  return { status: 204, headers: { 'x-amz-version-id': versionId } };
};

/** Refuses conditions that Amazon S3 supports only in directory buckets. Ignoring them could delete objects by mistake. */
function refuseUnofferedConditions(request: S3Request): void {
  const header = ['x-amz-if-match-last-modified-time', 'x-amz-if-match-size'].find(
    (name) => request.header(name) !== undefined,
  );
  if (header) throw new S3Error('NotImplemented', undefined, { Header: header });
}

/** The maximum number of keys. Source: "DeleteObjects" in the Amazon S3 API reference. */
const MAX_KEYS = 1000;

/** The maximum size of the document, bytes: a thousand keys of up to 1,024 bytes, in which each byte may be an XML entity. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** Each key has its own result. If one object cannot be deleted, the others are still deleted. */
export const deleteObjects: Operation = async (context) => {
  const { request, payload, now, permit } = context;
  const bucket = bucketOf(context);
  const { deletions, isQuiet } = readDeletions(await receiveProvenText(request, payload, MAX_DOCUMENT_BYTES));
  const deleted: { Key: string; VersionId: string | undefined }[] = [];
  const refused: { Key: string; VersionId: string | undefined; Code: string; Message: string }[] = [];
  for (const deletion of deletions) {
    const place = { Key: deletion.key, VersionId: deletion.versionId };
    const refusal = await refusalOf(bucket, deletion, { request, now, permit });
    if (refusal) refused.push({ ...place, Code: refusal.code, Message: refusal.message });
    else deleted.push(place);
  }
  return xmlResponse('DeleteResult', { Deleted: isQuiet ? [] : deleted, Error: refused });
};

type Deletion = { key: string; etag: string | undefined; versionId: string | undefined };

function readDeletions(text: string): { deletions: Deletion[]; isQuiet: boolean } {
  const document = parseXml(text);
  const objects = childrenOf(document, 'Object');
  if (document?.name !== 'Delete' || objects.length === 0 || objects.length > MAX_KEYS) {
    throw new S3Error('MalformedXML');
  }
  return { deletions: objects.map(readDeletion), isQuiet: childText(document, 'Quiet') === 'true' };
}

const offered = ['Key', 'ETag', 'VersionId'];

/** Reads one object to delete. Conditions other than the ETag exist only in directory buckets. They are refused before anything is deleted. */
function readDeletion(object: XmlElement): Deletion {
  const key = childText(object, 'Key');
  if (!key) throw new S3Error('MalformedXML');
  const unoffered = object.children.find((child) => !offered.includes(child.name));
  if (unoffered) throw new S3Error('NotImplemented', undefined, { Element: unoffered.name });
  return { key, etag: childText(object, 'ETag'), versionId: childText(object, 'VersionId') };
}

/** Deletes the object. If it cannot be deleted, returns the reason. Succeeds if the object does not exist. */
async function refusalOf(
  bucket: Bucket,
  deletion: Deletion,
  { request, now, permit }: Pick<OperationContext, 'request' | 'now' | 'permit'>,
): Promise<S3Error | undefined> {
  const { key, etag, versionId } = deletion;
  const operation = { name: 'DeleteObject', key, ...(request.bucket && { bucket: request.bucket }) };
  // Without versioning, an object has only one version, whose id is "null".
  const isForGood = bucket.spec.isVersioned && versionId !== undefined;
  if (!isForGood && versionId !== undefined && versionId !== 'null') return new S3Error('NoSuchVersion');
  try {
    permit.require(permissionsOfS3({ ...operation, ...(isForGood && { versionId }) }));
    await bucket.exclusively(key, async () => {
      if (etag !== undefined) requireMatch(etag, key, bucket.objects.get(key));
      if (isForGood) await bucket.removeVersion(key, versionId);
      else await bucket.remove(key, now());
    });
    return undefined;
  } catch (error) {
    if (error instanceof S3Error) return error;
    console.error(`s3 ${request.id} could not delete an object`, error);
    return new S3Error('InternalError');
  }
}
