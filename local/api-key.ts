/** The key that people try the local API with: made once by `npm run keys`, kept in the credentials. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { fingerprint } from '../toolchain/bundle/stamp.ts';
import { type Credentials, writeJson } from './state.ts';

const keysCommand = fileURLToPath(new URL('../scripts/keys.ts', import.meta.url));

export type KeyStore = { endpoint: string; region: string; authTable: string; credentialsFile: string };

/**
 * Of tenant `demo`, all tenant scopes. A key of an Auth table that was emptied since is replaced, and one of a
 * version that had other scopes.
 */
export async function demoKey(credentials: Credentials, at: KeyStore): Promise<string> {
  const apiKeyScopes = fingerprint(['contract/scopes.ts']);
  const isKnown = credentials.apiKey !== undefined && credentials.apiKeyScopes === apiKeyScopes;
  if (isKnown && !(await isEmpty(credentials, at))) return credentials.apiKey!;
  const apiKey = await newKey(credentials, at);
  writeJson(at.credentialsFile, { ...credentials, apiKey, apiKeyScopes });
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
