/** Everything that the tables and the bucket store for a tenant. Ids are removed, so that two runs can be compared. */
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { ListMultipartUploadsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';

export interface Item {
  readonly pk: string;
  readonly sk: string;
  // biome-ignore lint/suspicious/noExplicitAny: rules look into items of every kind
  readonly [name: string]: any;
}

export interface Snapshot {
  /** Items of the Core table. */
  readonly items: readonly Item[];
  /** Announcements of all tenants for the sweep. */
  readonly announced: readonly Item[];
  readonly objects: readonly string[];
  readonly uploads: readonly string[];
}

export interface Kept {
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
  readonly buckets: readonly string[];
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const HASH = /[0-9a-zA-Z_-]{20,}/g;
const MONTH = /\d{4}-\d\d(?=$|#)/g;

/** Replaces ids, so that items of one kind are equal: `A#ID TR#ID`. */
export const shapeOf = (key: string): string =>
  key.replaceAll(ID, 'ID').replaceAll(HASH, 'HASH').replaceAll(MONTH, 'MONTH');

/** Counts equal entries, sorted. */
export function counted(shapes: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return [...counts].map(([shape, count]) => `${shape} × ${count}`).sort();
}

export async function snapshotOf(tenant: string, kept: Kept): Promise<Snapshot> {
  const all = await scanned(kept.dynamodb, 'Core');
  const own = `T#${tenant}#`;
  const bare = (text: string) => (text.startsWith(own) ? text.slice(own.length) : text);
  const listed = await Promise.all(kept.buckets.map((bucket) => keysIn(bucket, kept.s3)));
  return {
    items: all.filter(({ pk }) => pk.startsWith(own)).map((item) => ({ ...item, pk: bare(item.pk) })),
    announced: all.filter(
      ({ pk, tenant: whose }) => /^ADMIN#(outbox|open_jobs|deletions)#/.test(pk) && whose === tenant,
    ),
    objects: listed.flatMap(({ objects }) => objects).sort(),
    uploads: listed.flatMap(({ uploads }) => uploads).sort(),
  };
}

/** Deletes the data of all tenants, because each run is compared alone. */
export async function emptied({ dynamodb, s3, buckets }: Kept, remove: (bucket: string) => Promise<void>) {
  for (const table of ['Core', 'Ephemeral']) {
    const keys = (await scanned(dynamodb, table)).map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    for (let at = 0; at < keys.length; at += 25) {
      const requests: WriteRequest[] = keys.slice(at, at + 25).map((Key) => ({ DeleteRequest: { Key } }));
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    }
  }
  for (const bucket of buckets) await remove(bucket);
  return s3;
}

async function scanned(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true }))
    items.push(...(page.Items ?? []).map((item) => unmarshall(item) as Item));
  return items;
}

async function keysIn(Bucket: string, client: S3Client) {
  const objects: string[] = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket }))
    objects.push(...(page.Contents ?? []).map(({ Key }) => `${Bucket}/${Key}`));
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  return { objects, uploads: Uploads.map(({ Key }) => `${Bucket}/${Key}`) };
}
