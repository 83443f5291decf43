/** Starts DynamoDB and S3 in parallel, and creates the first API key. */
import { join } from 'node:path';
import { demoKey } from './api-key.ts';
import { type DynamoDb, startDynamoDb } from './dynamodb/index.ts';
import type { Host } from './host.ts';
import type { Authorizer, AuthorizerOptions } from './iam/authorizer.ts';
import type { HeldPort } from './listen.ts';
import { accountId, type Product, region } from './product.ts';
import { type S3, startS3Process } from './s3.ts';
import type { LocalTemplate } from './template/index.ts';

export type Storage = {
  dynamodb: DynamoDb;
  s3: S3;
  apiKey: string;
  authTable: string;
  /** Resolves when DynamoDB or S3 has ended by itself. */
  broken: Promise<string>;
};

export async function startStorage(
  host: Host,
  ports: { dynamodb: HeldPort; s3: HeldPort },
  template: LocalTemplate,
  { product, dynamodbEngine, iam }: { product: Product; dynamodbEngine?: string; iam: AuthorizerOptions },
  authorizer: Authorizer,
): Promise<Storage> {
  const { layout, records, credentials, started, report } = host;
  // The S3 server is another process, so it cannot get a held port.
  await ports.s3.letGo();
  const starting = [
    startDynamoDb({
      directory: layout.dynamodb,
      logDirectory: layout.logs,
      port: ports.dynamodb,
      region,
      credentials,
      tables: template.tables,
      authorizer,
      accountId,
      records,
      ...(dynamodbEngine ? { engine: dynamodbEngine } : {}),
    }),
    startS3Process(
      {
        dir: layout.s3,
        port: ports.s3.port,
        region,
        credentials: { accessKeyId: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey },
        buckets: template.buckets,
        iam,
      },
      { optionsFile: layout.s3Options, logFile: join(layout.logs, 's3.log'), records },
    ),
  ] as const;
  // If DynamoDB or S3 fails, waits for the other part, too, so that it can be stopped.
  for (const settled of await Promise.allSettled(starting)) {
    if (settled.status === 'fulfilled') started.defer(() => settled.value.stop());
  }
  const [dynamodb, s3] = await Promise.all(starting);
  report(`DynamoDB: ${template.tables.length} tables in ${dynamodb.engine} on ${dynamodb.url}`);
  report(`S3: ${template.buckets.length} buckets on ${s3.url}`);

  const authTable = template.tables.find(({ logicalId }) => logicalId === 'Auth')?.name;
  if (!authTable) throw new Error('the template has no table Auth, which holds the API keys');
  const credentialsFile = layout.credentials;
  const apiKey = await demoKey(product, credentials, {
    endpoint: dynamodb.url,
    region,
    authTable,
    credentialsFile,
  });
  const broken = Promise.race([
    dynamodb.exited.then((how) => `DynamoDB ended (${how}); see ${join(layout.logs, 'dynamodb.log')}`),
    s3.exited.then((how) => `S3 ended (${how}); see ${join(layout.logs, 's3.log')}`),
  ]);
  return { dynamodb, s3, apiKey, authTable, broken };
}
