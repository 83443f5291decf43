/**
 * Records that the last release stored: an item of every kind that the API can read, with the objects behind them.
 * `npm run release` records them anew.
 */
import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { readRelease, updateRelease } from '../../toolchain/release.ts';
import type { Api } from './api.ts';
import { Belongings, filled } from './belongings.ts';

export const TENANT = 'acme';
export const LOCAL_SECRET_KEY = 'a secret of the records that were released';

type Item = Record<string, AttributeValue>;

interface StoredObject {
  readonly key: string;
  readonly type?: string;
  readonly encoding?: string;
  readonly body: string;
}

export interface ReleasedRecords {
  /** Tests read the records at this time, because some of them expire. */
  readonly recorded_at: string;
  readonly items: readonly Item[];
  readonly objects: readonly StoredObject[];
  /** Requests that read the records, and the status of their answers, by operation. */
  readonly requests: Readonly<Record<string, { readonly path: string; readonly status: number }>>;
}

/** Operations that read one thing or a list. */
export const readingOperations: readonly OperationSpec[] = operations
  .map(({ spec }) => spec as OperationSpec)
  .filter(({ method, scope }) => method === 'GET' && !scope?.startsWith('admin:'));

export const readRecords = (): ReleasedRecords =>
  JSON.parse(JSON.stringify(readRelease().records), withBytes) as ReleasedRecords;

/** Writes the records to the table and the bucket. */
export async function restoreRecords(api: Api, { items, objects }: ReleasedRecords): Promise<void> {
  for (let at = 0; at < items.length; at += 25) {
    const puts = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
    await api.environment.client.send(new BatchWriteItemCommand({ RequestItems: { Core: puts } }));
  }
  const s3 = clientOf(api);
  for (const { key, type, encoding, body } of objects) {
    await s3.send(
      new PutObjectCommand({
        ...{ Bucket: 'media', Key: key, Body: Buffer.from(body, 'base64') },
        ...{ ContentType: type, ContentEncoding: encoding },
      }),
    );
  }
}

/** Creates one of each thing in an empty environment, and writes the records to the fixture. */
export async function recordRelease(api: Api): Promise<ReleasedRecords> {
  const tenant = await api.tenant(TENANT);
  const own = new Belongings(tenant);
  const requests: Record<string, { path: string; status: number }> = {};
  for (const spec of readingOperations) {
    const path = filled(spec.path, await own.params(spec.path));
    const { status } = await tenant.call('GET', path);
    requests[spec.id] = { path, status };
  }
  const { Items: items = [] } = await api.environment.client.send(new ScanCommand({ TableName: 'Core' }));
  const records: ReleasedRecords = {
    recorded_at: new Date().toISOString(),
    items,
    objects: await objectsOf(api),
    requests,
  };
  updateRelease({ records: JSON.parse(JSON.stringify(records, withoutBytes)) });
  return records;
}

/** JSON has no binary values, which DynamoDB has. */
const withoutBytes = (_: string, value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
const withBytes = (_: string, value: { base64?: string } | null) =>
  typeof value?.base64 === 'string' ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value;

async function objectsOf(api: Api): Promise<StoredObject[]> {
  const s3 = clientOf(api);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'media' }));
  return Promise.all(
    Contents.map(async ({ Key: key }) => {
      const found = await s3.send(new GetObjectCommand({ Bucket: 'media', Key: key }));
      return {
        key: key!,
        ...(found.ContentType && { type: found.ContentType }),
        ...(found.ContentEncoding && { encoding: found.ContentEncoding }),
        body: await found.Body!.transformToString('base64'),
      };
    }),
  );
}

const clientOf = ({ s3 }: Api) =>
  new S3Client({
    endpoint: s3.url,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
