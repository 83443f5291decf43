/** The key that people try the local API with: made once, kept in the credentials. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tenantScopes } from '../contract/scopes.ts';
import { ApiKeys } from '../lambdas/data/api-keys.ts';
import { keyIdOf } from '../lambdas/domain/api-keys.ts';
import { asTenantId } from '../lambdas/domain/tenant.ts';
import { type Credentials, writeJson } from './state.ts';

/** Of tenant `demo`, all tenant scopes. A key that the Auth table no longer knows is replaced. */
export async function demoKey(
  credentials: Credentials,
  at: { endpoint: string; region: string; authTable: string; credentialsFile: string },
): Promise<string> {
  const { endpoint, region, authTable } = at;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const keys = new ApiKeys(client, authTable);
  try {
    const id = credentials.apiKey ? keyIdOf(credentials.apiKey) : null;
    if (credentials.apiKey && id && (await keys.find(id))) return credentials.apiKey;
    const tenant = asTenantId('demo');
    const { text } = await keys.create({ tenant, scopes: tenantScopes, mode: 'test', name: 'local cloud' });
    writeJson(at.credentialsFile, { ...credentials, apiKey: text });
    return text;
  } finally {
    client.destroy();
  }
}
