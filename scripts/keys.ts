/**
 * `npm run keys -- create|list|rotate|revoke`: API keys, against the local cloud that runs, or against a deployed
 * environment with `--table <name of its Auth table> --region <region>` and the caller's AWS credentials.
 * Prints JSON; a key's text is shown once and stored nowhere.
 */
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Scope, scopes, tenantScopes } from '../contract/scopes.ts';
import { ApiKeys } from '../lambdas/data/api-keys.ts';
import { asTenantId, isTenantName } from '../lambdas/domain/tenant.ts';
import { findRunning } from '../local/running.ts';

const usage = `Usage:
  npm run keys -- create --tenant NAME [--scopes a,b,…] [--name TEXT] [--days N] [--live]
  npm run keys -- list   --tenant NAME
  npm run keys -- rotate --id KEY_ID [--overlap-hours 24] [--live]
  npm run keys -- revoke --id KEY_ID
For a deployed environment add --table AUTH_TABLE --region REGION.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tenant: { type: 'string' },
    scopes: { type: 'string' },
    name: { type: 'string' },
    days: { type: 'string' },
    id: { type: 'string' },
    'overlap-hours': { type: 'string', default: '24' },
    live: { type: 'boolean', default: false },
    table: { type: 'string' },
    region: { type: 'string' },
  },
});

const mode = values.live ? 'live' : 'test';

const commands: Record<string, (keys: ApiKeys) => Promise<unknown>> = { create, list, rotate, revoke };

const command = commands[positionals[0] ?? ''];
if (command === undefined) fail(usage);
else console.log(JSON.stringify(await command(await keyStore()), null, 2));

async function create(keys: ApiKeys) {
  const { key, text } = await keys.create({
    tenant: tenantOf(values.tenant),
    scopes: values.scopes === undefined ? tenantScopes : scopesOf(values.scopes),
    mode,
    ...(values.name !== undefined && { name: values.name }),
    ...(values.days !== undefined && {
      expiresAt: inHours(numberOf('days', values.days) * 24).toISOString(),
    }),
  });
  const { hash: _, ...shown } = key;
  return { api_key: text, ...shown };
}

async function list(keys: ApiKeys) {
  return { data: await keys.list(tenantOf(values.tenant)) };
}

async function rotate(keys: ApiKeys) {
  const until = inHours(numberOf('overlap-hours', values['overlap-hours']));
  const made = await keys.rotate(idOf(values.id), mode, until);
  if (made === null) return fail(`There is no active key ${values.id}.`);
  const { hash: _, ...shown } = made.key;
  return { api_key: made.text, ...shown, old_key_expires_at: until.toISOString() };
}

async function revoke(keys: ApiKeys) {
  const isRevoked = await keys.revoke(idOf(values.id));
  return isRevoked ? { id: values.id, status: 'revoked' } : fail(`There is no key ${values.id}.`);
}

async function keyStore(): Promise<ApiKeys> {
  if (values.table !== undefined) {
    return new ApiKeys(
      new DynamoDBClient(values.region === undefined ? {} : { region: values.region }),
      values.table,
    );
  }
  const ready = await findRunning();
  if (ready === undefined) return fail('No local cloud runs: `npm start` first, or name a deployed --table.');
  const client = new DynamoDBClient({
    endpoint: ready.dynamodb_url,
    region: ready.region,
    credentials: { accessKeyId: ready.access_key_id, secretAccessKey: ready.secret_access_key },
  });
  return new ApiKeys(client, ready.auth_table);
}

function tenantOf(name: string | undefined) {
  if (name === undefined || !isTenantName(name)) {
    return fail(`--tenant must be 1 to 48 of a–z, 0–9 and inner hyphens.\n${usage}`);
  }
  return asTenantId(name);
}

function scopesOf(list: string): Scope[] {
  const asked = list.split(',').map((scope) => scope.trim());
  const unknown = asked.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0) return fail(`Unknown scopes: ${unknown.join(', ')}\nKnown: ${scopes.join(', ')}`);
  return asked as Scope[];
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  return Number.isFinite(number) && number > 0 ? number : fail(`--${option} must be a number above 0.`);
}

const idOf = (id: string | undefined) => id ?? fail(usage);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
