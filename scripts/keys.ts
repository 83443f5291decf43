/**
 * `npm run keys -- create|list|rotate|revoke|suspend|resume|limits`: manages API keys and the limits of tenants, in the running local
 * cloud. With `--env dev`, in a deployed environment, with the caller's AWS credentials. If these credentials may not read the
 * environment's stacks: `--table <name of its Auth table> --region <region>`. Prints JSON. A key's text is shown once and not stored.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Scope, scopes, tenantScopes } from '../contract/kit/scopes.ts';
import { accessTo } from '../local/ready.ts';
import { findRunning } from '../local/running.ts';
import { ApiKeys } from '../platform/records/api-keys.ts';
import { asTenantId, isTenantName } from '../shared/ids.ts';
import { argumentsOf } from './arguments.ts';
import { Failure, Misuse, reportFailure } from './deployment/failure.ts';
import { changedLimits, limitsWithKey, positive } from './keys/limits.ts';

const synopses = {
  create: [
    'create --tenant NAME [--scopes a,b,…] [--name TEXT] [--days N] [--live]',
    'takes the options of limits as well; in a deployed environment, a new tenant may otherwise send',
    '600 requests a minute, run 10 jobs at once, and cost 50 USD a month',
  ],
  list: ['list   --tenant NAME'],
  rotate: [
    'rotate --id KEY_ID [--overlap-hours 24] [--days N] [--live]',
    'the new key has the mode and the expiry of the old one; --days sets another expiry,',
    '--live is for a live key of version 0.1.0, which did not store its mode',
  ],
  revoke: ['revoke --id KEY_ID'],
  suspend: [
    'suspend --tenant NAME',
    'refuses all keys of the tenant within a minute, until resume; running jobs continue',
  ],
  resume: ['resume --tenant NAME'],
  limits: [
    'limits --tenant NAME [--requests-per-minute N] [--concurrent-jobs N] [--quotas uploads=N,…]',
    'changes the given limits, then shows all; none instead of N removes a limit,',
    '--quotas none removes all quotas; cost=N is a monthly budget in USD; takes effect within a minute',
  ],
} as const;

type CommandName = keyof typeof synopses;

const isCommand = (name: string | undefined): name is CommandName => name !== undefined && name in synopses;

function usageOf([name]: readonly string[]): string {
  const shown = isCommand(name) ? [synopses[name]] : Object.values(synopses);
  const lines = shown.map(([first, ...more]) =>
    [`  npm run keys -- ${first}`, ...more.map((line) => `                  ${line}`)].join('\n'),
  );
  return ['Usage:', ...lines, 'For a deployed environment add --env ENVIRONMENT.'].join('\n');
}

const help = 'npm run keys -- --help';

const { values, positionals } = argumentsOf(
  { text: usageOf, help, words: 1 },
  {
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
    },
  },
);

const mode = values.live ? 'live' : 'test';

type Command = (keys: ApiKeys) => Promise<unknown>;

const commands: Record<CommandName, Command> = { create, list, rotate, revoke, suspend, resume, limits };

try {
  const [name] = positionals;
  if (!isCommand(name)) throw new Misuse('Which command?', `${help}\n${usageOf([])}`);
  const { client, table } = await authTable();
  const answer = await commands[name](new ApiKeys(client, table));
  console.log(JSON.stringify(answer, null, 2));
} catch (error) {
  reportFailure(error);
}

async function create(keys: ApiKeys) {
  const tenant = tenantOf(values.tenant);
  const isDeployed = values.table !== undefined || values.env !== undefined;
  const limited = isDeployed
    ? await limitsWithKey(keys, tenant, values)
    : changedLimits(await keys.limitsOf(tenant), values);
  if (limited !== null) await keys.setLimits(tenant, limited);
  const { key, text } = await keys.create({
    tenant,
    scopes: values.scopes === undefined ? tenantScopes : scopesOf(values.scopes),
    mode,
    ...(values.name !== undefined && { name: values.name }),
    ...expiryAsked(),
  });
  const { hash: _, ...shown } = key;
  return { api_key: text, ...shown };
}

async function list(keys: ApiKeys) {
  return { data: await keys.list(tenantOf(values.tenant)) };
}

async function rotate(keys: ApiKeys) {
  const until = inHours(positive('overlap-hours', values['overlap-hours']));
  const made = await keys.rotate(idOf(values.id), until, { mode, ...expiryAsked() });
  if (made === null) throw unknownKey('active key');
  const { hash: _, ...shown } = made.key;
  return { api_key: made.text, ...shown, old_key_expires_at: made.oldExpiresAt };
}

async function revoke(keys: ApiKeys) {
  const isRevoked = await keys.revoke(idOf(values.id));
  if (!isRevoked) throw unknownKey('key');
  return { id: values.id, status: 'revoked' };
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
  const old = await keys.limitsOf(tenant);
  const changed = changedLimits(old, values);
  if (changed !== null) await keys.setLimits(tenant, changed);
  return { tenant, ...(changed ?? old) };
}

async function authTable(): Promise<{ client: DynamoDBClient; table: string }> {
  if (values.table !== undefined) {
    const client = new DynamoDBClient(values.region === undefined ? {} : { region: values.region });
    return { client, table: values.table };
  }
  if (values.env !== undefined) return deployedTable(values.env);
  const ready = await findRunning();
  if (ready === undefined)
    throw new Failure(
      'The local cloud is not running',
      'Run npm start first, or choose a deployed environment with --env.',
    );
  const client = new DynamoDBClient({ ...accessTo(ready), endpoint: ready.dynamodb_url });
  return { client, table: ready.auth_table };
}

/** Imported only when needed: keys of the local cloud do not need the deployment code. */
async function deployedTable(env: string): Promise<{ client: DynamoDBClient; table: string }> {
  const { authTableOf } = await import('./deployment/stacks.ts');
  return authTableOf(env);
}

function tenantOf(name: string | undefined) {
  if (name === undefined || !isTenantName(name))
    throw new Misuse(
      name === undefined ? 'Which tenant?' : `“${name}” is not a valid tenant name`,
      '--tenant NAME: 1 to 48 characters of a–z, 0–9 and inner hyphens',
    );
  return asTenantId(name);
}

function scopesOf(list: string): Scope[] {
  const asked = list.split(',').map((scope) => scope.trim());
  const unknown = asked.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new Misuse(`Unknown scopes: ${unknown.join(', ')}`, `Known scopes: ${scopes.join(', ')}`);
  return asked as Scope[];
}

function idOf(id: string | undefined): string {
  if (id === undefined)
    throw new Misuse('Which key?', '--id KEY_ID; npm run keys -- list --tenant NAME shows them');
  return id;
}

const unknownKey = (what: string) =>
  new Misuse(`Unknown ${what} ${values.id}`, 'npm run keys -- list --tenant NAME shows all keys.');

function expiryAsked() {
  if (values.days === undefined) return {};
  return { expiresAt: inHours(positive('days', values.days) * 24).toISOString() };
}

function inHours(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}
