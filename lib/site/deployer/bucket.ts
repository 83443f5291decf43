/** The site's bucket in S3. */
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ArchivedObject } from '../archive.ts';
import type { SiteBucket } from './deployment.ts';

/** The maximum number of keys in one DeleteObjects call. */
const MOST_KEYS = 1_000;

export function siteBucket(client: S3Client, bucket: string): SiteBucket {
  return {
    keys: async () => {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
        keys.push(...Contents.map(({ Key }) => Key!));
      }
      return keys;
    },
    read: async (key) => (await readBytes(client, bucket, key))?.toString(),
    put: async (object) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, ...parametersOf(object) }));
    },
    remove: async (keys) => {
      for (let at = 0; at < keys.length; at += MOST_KEYS) {
        const Objects = keys.slice(at, at + MOST_KEYS).map((Key) => ({ Key }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors.length > 0) throw new Error(`${Errors[0]!.Key} was not removed: ${Errors[0]!.Message}`);
      }
    },
  };
}

/** Returns undefined if the object does not exist. With the permission to list, S3 then answers NoSuchKey. */
export async function readBytes(client: S3Client, bucket: string, key: string): Promise<Buffer | undefined> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Buffer.from(await Body!.transformToByteArray());
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

const parametersOf = (object: ArchivedObject) => ({
  Key: object.key,
  Body: object.body,
  ContentType: object.contentType,
  ContentEncoding: object.contentEncoding,
  ContentLanguage: object.contentLanguage,
  CacheControl: object.cacheControl,
  Metadata: { ...object.metadata },
});
