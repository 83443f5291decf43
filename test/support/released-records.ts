/**
 * What an environment of the last release has stored: an item of every kind that the API can be asked for, with the objects
 * behind them, as `released/records.json.gz`. `RECORD_RELEASE=1 npx vitest run test/api/released-records.test.ts` records what is stored today.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import type { Api } from './api.ts';
import { Belongings, filled } from './belongings.ts';

export const TENANT = 'acme';
/** Of the machine that the secrets in the records were encrypted on. */
export const LOCAL_SECRET_KEY = 'a secret of the records that were released';

type Item = Record<string, AttributeValue>;

interface StoredObject {
  readonly key: string;
  readonly type?: string;
  readonly encoding?: string;
  readonly body: string;
}

export interface ReleasedRecords {
  /** What is kept for a time only is read as of then. */
  readonly recorded_at: string;
  readonly items: readonly Item[];
  readonly objects: readonly StoredObject[];
  /** Requests that read them, and what they were answered, by operation. */
  readonly requests: Readonly<Record<string, { readonly path: string; readonly status: number }>>;
}

/** Operations that look at one thing or at many. */
export const readingOperations: readonly OperationSpec[] = operations
  .map(({ spec }) => spec as OperationSpec)
  .filter(({ method, scope }) => method === 'GET' && !scope?.startsWith('admin:'));

const file = join(root, 'released', 'records.json.gz');

export const readRecords = (): ReleasedRecords =>
  JSON.parse(gunzipSync(readFileSync(file)).toString(), withBytes);

/** Fills tables and bucket as the release left them. */
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

/** Makes one of everything in an empty environment and writes it down. */
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
  writeFileSync(file, gzipSync(JSON.stringify(records, withoutBytes), { level: 9 }));
  return records;
}

/** DynamoDB's binary values, which JSON has none of. */
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
