/** The environment of a Lambda, for handlers that run in the test's process. */
import { type Scope, tenantScopes } from '../../contract/kit/scopes.ts';
import { ApiKeys } from '../../platform/records/api-keys.ts';
import { asTenantId } from '../../shared/ids.ts';
import { startDynamoDb } from './dynamodb.ts';

/** Starts a DynamoDB engine and configures this process for it. Import handlers only after this call. */
export async function lambdaEnvironment(extra: Record<string, string> = {}) {
  const dynamodb = await startDynamoDb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    ENVIRONMENT: 'dev',
    ENGINES: 'local',
    REACHABLE_ADDRESSES: 'all',
    SITE_URL: 'https://kinora.test',
    CORE_TABLE: 'Core',
    AUTH_TABLE: 'Auth',
    EPHEMERAL_TABLE: 'Ephemeral',
    MEDIA_BUCKET: 'media',
    ...extra,
  });
  const keys = new ApiKeys(dynamodb.client, 'Auth');
  const newKey = async (tenant: string, scopes: readonly Scope[] = tenantScopes, expiresAt?: string) =>
    keys.create({ tenant: asTenantId(tenant), scopes, mode: 'test', ...(expiresAt && { expiresAt }) });
  return { ...dynamodb, keys, newKey };
}

export type LambdaEnvironment = Awaited<ReturnType<typeof lambdaEnvironment>>;
