/**
 * `npm run keys -- create|list|rotate|revoke|suspend|resume|limits`: API keys and what their tenant may use, against the local
 * cloud that runs, or against a deployed environment with `--env dev` and the caller's AWS credentials (or `--table <name of its Auth
 * table> --region <region>`, where its stacks may not be read).
 * Prints JSON; a key's text is shown once and stored nowhere.
 */
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Scope, scopes, tenantScopes } from '../contract/kit/scopes.ts';
import { findRunning } from '../local/running.ts';
import type { Limits } from '../platform/shared/limits.ts';
import { asTenantId, isTenantName } from '../platform/shared/tenant.ts';
import { meters } from '../platform/shared/usage.ts';
import { ApiKeys } from '../platform/store/api-keys.ts';

/** What each command takes. */
const synopses = {
  create: ['create --tenant NAME [--scopes a,b,…] [--name TEXT] [--days N] [--live]'],
  list: ['list   --tenant NAME'],
  rotate: ['rotate --id KEY_ID [--overlap-hours 24] [--live]'],
  revoke: ['revoke --id KEY_ID'],
  suspend: ['suspend --tenant NAME    all its keys are refused, until resume'],
  resume: ['resume --tenant NAME'],
  limits: [
    'limits --tenant NAME [--requests-per-minute N] [--concurrent-jobs N] [--quotas uploads=N,…]',
    'sets all limits of the tenant; what is not named is not limited',
  ],
} as const;

type CommandName = keyof typeof synopses;

const isCommand = (name: string | undefined): name is CommandName => name !== undefined && name in synopses;

/** Of one command, or of all. */
function usageOf(name: string | undefined): string {
  const shown = isCommand(name) ? [synopses[name]] : Object.values(synopses);
  const lines = shown.map(([first, ...more]) =>
    [`  npm run keys -- ${first}`, ...more.map((line) => `                  ${line}`)].join('\n'),
  );
  return ['Usage:', ...lines, 'For a deployed environment add --env ENVIRONMENT.'].join('\n');
}

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
    'requests-per-minute': { type: 'string' },
    'concurrent-jobs': { type: 'string' },
    quotas: { type: 'string' },
    env: { type: 'string' },
    table: { type: 'string' },
    region: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const mode = values.live ? 'live' : 'test';

type Command = (keys: ApiKeys) => Promise<unknown>;

const commands: Record<CommandName, Command> = { create, list, rotate, revoke, suspend, resume, limits };

const [name] = positionals;
const usage = usageOf(name);
if (values.help) console.log(usage);
else if (!isCommand(name)) fail(usage);
else {
  const { client, table } = await authTable();
  const answer = await commands[name](new ApiKeys(client, table));
  console.log(JSON.stringify(answer, null, 2));
}

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

async function suspend(keys: ApiKeys) {
  const tenant = tenantOf(values.tenant);
  return { tenant, suspended: await keys.suspend(tenant) };
}

async function resume(keys: ApiKeys) {
  const tenant = tenantOf(values.tenant);
  return { tenant, resumed: await keys.resume(tenant) };
}

async function limits(keys: ApiKeys) {
  const tenant = tenantOf(values.tenant);
  const given: Limits = {
    requests_per_minute: optionalNumber('requests-per-minute', values['requests-per-minute']),
    concurrent_jobs: optionalNumber('concurrent-jobs', values['concurrent-jobs']),
    quotas: quotasOf(values.quotas),
  };
  await keys.setLimits(tenant, given);
  return { tenant, ...given };
}

async function authTable(): Promise<{ client: DynamoDBClient; table: string }> {
  if (values.table !== undefined) {
    const client = new DynamoDBClient(values.region === undefined ? {} : { region: values.region });
    return { client, table: values.table };
  }
  if (values.env !== undefined) return deployedTable(values.env);
  const ready = await findRunning();
  if (ready === undefined) return fail('No local cloud runs: `npm start` first, or name a deployed --env.');
  const client = new DynamoDBClient({
    endpoint: ready.dynamodb_url,
    region: ready.region,
    credentials: { accessKeyId: ready.access_key_id, secretAccessKey: ready.secret_access_key },
  });
  return { client, table: ready.auth_table };
}

/** The stacks are read by what `npm run deploy` is made of, which nobody needs for a key of the local cloud. */
async function deployedTable(env: string): Promise<{ client: DynamoDBClient; table: string }> {
  const { authTableOf } = await import('./deployment/auth-table.ts');
  try {
    return await authTableOf(env);
  } catch (error) {
    const { troubleOf } = await import('./deployment/trouble.ts');
    const { says, cure } = troubleOf(error);
    return fail(`${says}\n→ ${cure}`);
  }
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

function optionalNumber(option: string, text: string | undefined): number | null {
  return text === undefined ? null : numberOf(option, text);
}

/** `uploads=100,transcription_minutes=600`. */
function quotasOf(list: string | undefined): Limits['quotas'] {
  const known = Object.values(meters).map(({ metric }): string => metric);
  const entries = (list ?? '').split(',').filter((entry) => entry.trim() !== '');
  const quotas = entries.map((entry) => {
    const [metric = '', amount = ''] = entry.trim().split('=');
    if (!known.includes(metric)) return fail(`Unknown metric: ${metric}\nKnown: ${known.join(', ')}`);
    return [metric, numberOf(`quotas ${metric}`, amount)];
  });
  return Object.fromEntries(quotas);
}

function idOf(id: string | undefined): string {
  return id ?? fail(usage);
}

function inHours(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
