/** GetObjectTagging, PutObjectTagging, DeleteObjectTagging. */
import { permissionsOfS3 } from '../auth/permissions.ts';
import { receiveProvenText } from '../body/receive.ts';
import type { Tag } from '../store/records.ts';
import { objectIn } from '../store/store.ts';
import { tagsInDocument } from '../tags.ts';
import { bucketOf, type Operation, type OperationContext, xmlResponse } from './operation.ts';

export const getObjectTagging: Operation = async (context) => {
  const { tags } = objectIn(bucketOf(context), context.request.key!);
  return xmlResponse('Tagging', {
    TagSet: { Tag: tags.map(({ key, value }) => ({ Key: key, Value: value })) },
  });
};

/** The maximum size of the document, bytes: ten tags with the longest keys and values, in which each character may be an XML entity. */
const MAX_DOCUMENT_BYTES = 128 * 1024;

export const putObjectTagging: Operation = async (context) => {
  const { request, payload, permit } = context;
  const { bucket, key } = request;
  const tags = tagsInDocument(await receiveProvenText(request, payload, MAX_DOCUMENT_BYTES));
  permit.require(permissionsOfS3({ name: 'PutObjectTagging', bucket: bucket!, key: key!, tags }));
  await tagObject(context, tags);
  return { status: 200 };
};

export const deleteObjectTagging: Operation = async (context) => {
  await tagObject(context, []);
  return { status: 204 };
};

async function tagObject(context: OperationContext, tags: Tag[]): Promise<void> {
  const bucket = bucketOf(context);
  const key = context.request.key!;
  await bucket.exclusively(key, () => bucket.tag(objectIn(bucket, key), tags));
}
