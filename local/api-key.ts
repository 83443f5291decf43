/** The key that people try the local API with: made once by `npm run keys`, kept in the credentials. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type Credentials, writeJson } from './state.ts';

const keysCommand = fileURLToPath(new URL('../scripts/keys.ts', import.meta.url));

export type KeyStore = { endpoint: string; region: string; authTable: string; credentialsFile: string };

/** Of tenant `demo`, all tenant scopes. A key of an Auth table that was emptied since is replaced. */
export async function demoKey(credentials: Credentials, at: KeyStore): Promise<string> {
  const isKnown = credentials.apiKey !== undefined && !(await isEmpty(credentials, at));
  if (isKnown) return credentials.apiKey!;
  const apiKey = await newKey(credentials, at);
  writeJson(at.credentialsFile, { ...credentials, apiKey });
  return apiKey;
}

async function isEmpty(
  credentials: Credentials,
  { endpoint, region, authTable }: KeyStore,
): Promise<boolean> {
  const client = new DynamoDBClient({ endpoint, region, credentials });
  try {
    const { Count } = await client.send(new ScanCommand({ TableName: authTable, Limit: 1 }));
    return Count === 0;
  } finally {
    client.destroy();
  }
}

/** In a process of its own: what a key is, only the product knows. */
async function newKey({ accessKeyId, secretAccessKey }: Credentials, at: KeyStore): Promise<string> {
  const args = ['create', '--tenant', 'demo', '--name', 'local cloud', '--table', at.authTable];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [keysCommand, ...args, '--region', at.region],
    {
      env: {
        PATH: process.env.PATH,
        AWS_ENDPOINT_URL_DYNAMODB: at.endpoint,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      },
    },
  );
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}
