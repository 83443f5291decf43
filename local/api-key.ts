/** The API key of the local API, for people who try it. The product creates it once, and the file of credentials stores it. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { KeyStore, Product } from './product.ts';
import { type Credentials, writeJson } from './state.ts';

type Store = Omit<KeyStore, 'accessKeyId' | 'secretAccessKey'> & { credentialsFile: string };

/**
 * Returns a key of the tenant `demo` with all scopes of a tenant. Creates a new key if the Auth table was emptied, or if the scopes
 * of a tenant have changed since the key was created.
 */
export async function demoKey(product: Product, credentials: Credentials, at: Store): Promise<string> {
  const apiKeyScopes = product.keyScopes();
  const isKnown = credentials.apiKey !== undefined && credentials.apiKeyScopes === apiKeyScopes;
  if (isKnown && !(await isEmpty(credentials, at))) return credentials.apiKey!;
  const { accessKeyId, secretAccessKey } = credentials;
  const apiKey = await product.newKey({ ...at, accessKeyId, secretAccessKey });
  writeJson(at.credentialsFile, { ...credentials, apiKey, apiKeyScopes });
  return apiKey;
}

async function isEmpty(
  { accessKeyId, secretAccessKey }: Credentials,
  { endpoint, region, authTable }: Store,
): Promise<boolean> {
  const client = new DynamoDBClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
  try {
    const { Count } = await client.send(new ScanCommand({ TableName: authTable, Limit: 1 }));
    return Count === 0;
  } finally {
    client.destroy();
  }
}
