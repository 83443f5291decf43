/**
 * Access control of every operation of the contract: a key without the right scope reaches nothing, and no key
 * reaches data of another tenant. The rows come from the contract, so a new route is tested too.
 */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { type Scope, scopes } from '../../contract/kit/scopes.ts';
import type { Answer, Tenant } from '../support/api.ts';
import { Belongings, filled } from '../support/belongings.ts';
import { asTest } from '../support/function-permissions.ts';
import { prepared } from '../support/provokers/prepared.ts';
import {
  bodyReferences,
  everybodys,
  pathReferences,
  queryReferences,
  withReference,
} from '../support/references.ts';
import { startTestApi } from '../support/test-api.ts';

let owner: Belongings;
let stranger: Belongings;
let all: string;
let malformed: string;
let revoked: string;
let expired: string;

const api = await startTestApi();

beforeAll(async () => {
  owner = new Belongings(await api.tenant('acme'));
  stranger = new Belongings(await api.tenant('other'));
  all = (await api.environment.newKey('acme', scopes)).text;
  malformed = `${owner.tenant.key.slice(0, -1)}-`;
  const made = await api.environment.newKey('acme', scopes);
  await api.environment.keys.revoke(made.key.id);
  revoked = made.text;
  expired = (await api.environment.newKey('acme', scopes, '2020-01-01T00:00:00.000Z')).text;
});

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function send(
  tenant: Tenant,
  spec: OperationSpec,
  request: Request,
  authorization?: string,
): Promise<Answer> {
  const search = new URLSearchParams(request.query).toString();
  const path = filled(spec.path, request.params) + (search === '' ? '' : `?${search}`);
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return tenant.call(spec.method, path, request.body, headers);
}

const sound = async (own: Belongings, spec: OperationSpec): Promise<Request> => ({
  params: await own.params(spec.path),
  body: await own.body(spec),
});

async function stored(client: DynamoDBClient): Promise<string[]> {
  const items: string[] = [];
  for (const TableName of ['Core', 'Auth', 'Ephemeral']) {
    let ExclusiveStartKey: Record<string, never> | undefined;
    do {
      const page = await client.send(
        new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
      );
      items.push(...(page.Items ?? []).map(inOrder));
      ExclusiveStartKey = page.LastEvaluatedKey as Record<string, never> | undefined;
    } while (ExclusiveStartKey !== undefined);
  }
  return items.sort();
}

/** DynamoDB returns members in any order. */
const inOrder = (item: unknown): string =>
  JSON.stringify(item, (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );

/** Work to do before the first write, while the test looks for traces. */
let beforeWriting: (() => Promise<void>) | undefined;
const reading = ['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan'];
const { send: sendToEngine } = DynamoDBClient.prototype;
vi.spyOn(DynamoDBClient.prototype, 'send').mockImplementation(async function (
  this: DynamoDBClient,
  ...asked: Parameters<typeof sendToEngine>
) {
  if (!reading.includes(asked[0].constructor.name.replace(/Command$/, ''))) await beforeWriting?.();
  return sendToEngine.apply(this, asked);
});

/** Runs the work and expects that it wrote nothing. */
async function withoutTrace<T>(work: () => Promise<T>): Promise<T> {
  const { client } = api.environment;
  let before: Promise<string[]> | undefined;
  beforeWriting = async () => {
    before ??= asTest(() => stored(client));
    await before;
  };
  const result = await work().finally(() => {
    beforeWriting = undefined;
  });
  if (before !== undefined) expect(await stored(client)).toEqual(await before);
  expect(api.machines.calls).toEqual([]);
  return result;
}

/** The answer as bytes, with the ids of the first list replaced by those of the second. */
function bytes({ status, headers, text }: Answer, ids: readonly string[] = [], by: readonly string[] = []) {
  const whole = JSON.stringify({ status, headers, text });
  return ids.reduce(
    (found, id, at) =>
      found.replaceAll(id, by[at]!).replaceAll(encodeURIComponent(id), encodeURIComponent(by[at]!)),
    whole,
  );
}

const rows = operations.map(({ spec }) => [spec.id, spec as OperationSpec] as const);
/** Operators see the storages of all tenants by design, so only their credentials are tested. */
const tenantRows = rows.filter(([, { scope }]) => scope === null || !scope.startsWith('admin:'));

const lesserKeys = new Map<Scope, Promise<string>>();

function keyWithout(scope: Scope): Promise<string> {
  const others = scopes.filter((other) => other !== scope);
  const made = async () => (await api.environment.newKey('acme', others)).text;
  if (!lesserKeys.has(scope)) lesserKeys.set(scope, made());
  return lesserKeys.get(scope)!;
}

describe('a request without a key that has the right scope', () => {
  it.each(rows)('is rejected by %s', async (_, spec) => {
    const request = await sound(owner, spec);
    const { tenant } = owner;
    const lesser = spec.scope === null ? undefined : await keyWithout(spec.scope);
    await withoutTrace(async () => {
      for (const [authorization, status, code] of [
        ['', 401, 'missing_credentials'],
        [`Bearer ${malformed}`, 401, 'invalid_api_key'],
        [`Bearer ${revoked}`, 401, 'invalid_api_key'],
        [`Bearer ${expired}`, 401, 'expired_api_key'],
        ...(lesser === undefined ? [] : [[`Bearer ${lesser}`, 403, 'insufficient_scope'] as const]),
      ] as const) {
        const reply = await send(tenant, spec, request, authorization);
        expect([reply.status, reply.json.code]).toEqual([status, code]);
      }
    });
  });
});

const inPath = tenantRows.filter(([, { path }]) => owned(path).length > 0);

describe("another tenant's id in the path", () => {
  it.each(inPath)('is answered like an unknown id by %s', async (_, spec) => {
    const own = await sound(stranger, spec);
    const theirs = await owner.params(spec.path);
    const names = pathReferences(spec.path).map(({ name }) => name);
    await withoutTrace(async () => {
      for (const { at } of owned(spec.path)) {
        const foreign = { ...own.params };
        const nothing = { ...own.params };
        for (const name of names.slice(at)) {
          foreign[name] = theirs[name]!;
          nothing[name] = name === 'external_id' ? 'no such id' : uuidv7();
        }
        const toForeign = await send(stranger.tenant, spec, { ...own, params: foreign });
        const toNothing = await send(stranger.tenant, spec, { ...own, params: nothing });
        expect([toForeign.status, toForeign.json?.code]).toEqual([404, 'resource_not_found']);
        const asNothing = names.map((name) => nothing[name]!);
        expect(
          bytes(
            toForeign,
            names.map((name) => foreign[name]!),
            asNothing,
          ),
        ).toBe(bytes(toNothing));
      }
    });
  });
});

const inBody = tenantRows.flatMap(([id, spec]) =>
  bodyReferences(spec)
    .filter(({ kind }) => !everybodys.includes(kind))
    .map((reference) => [id, `/${reference.at.join('/')}`, spec, reference] as const),
);

describe("another tenant's id in the body", () => {
  it.each(inBody)('is rejected as unknown by %s in the member %s', async (_, __, spec, reference) => {
    const own = await sound(stranger, spec);
    const theirs = await owner.id(reference.kind);
    const nothing = uuidv7();
    await withoutTrace(async () => {
      const toForeign = await send(stranger.tenant, spec, {
        ...own,
        body: withReference(own.body, reference, theirs),
      });
      const toNothing = await send(stranger.tenant, spec, {
        ...own,
        body: withReference(own.body, reference, nothing),
      });
      expect([toForeign.status, toForeign.json?.code]).toEqual([422, 'unknown_reference']);
      expect(bytes(toForeign, [theirs], [nothing])).toBe(bytes(toNothing));
    });
  });
});

const inQuery = tenantRows.flatMap(([id, spec]) =>
  queryReferences(spec)
    .filter(({ kind }) => !everybodys.includes(kind))
    .map(({ at, kind }) => [id, String(at[0]), spec, kind] as const),
);

describe("another tenant's id in the query", () => {
  it.each(inQuery)('is rejected as unknown by %s in the parameter %s', async (_, name, spec, kind) => {
    const own = await sound(stranger, spec);
    const theirs = await owner.id(kind);
    const nothing = uuidv7();
    await withoutTrace(async () => {
      const toForeign = await send(stranger.tenant, spec, { ...own, query: { [name]: theirs } });
      const toNothing = await send(stranger.tenant, spec, { ...own, query: { [name]: nothing } });
      expect(bytes(toForeign, [theirs], [nothing])).toBe(bytes(toNothing));
    });
  });
});

/** Errors that a valid request may get: an unavailable engine, or the state of its asset. */
const metBySound = ['not_implemented', 'invalid_state', 'upload_parts_mismatch'];

/** Deepest paths first, because deleting an asset deletes its children. */
const deletionsLast = rows.toSorted(([, one], [, other]) => {
  const isDeletion = (spec: OperationSpec) => Number(spec.method === 'DELETE');
  return isDeletion(one) - isDeletion(other) || other.path.length - one.path.length;
});

describe('the same requests from the owner of the ids', () => {
  // Without one it is missing to everybody.
  beforeAll(async () => {
    await prepared.getPoster!(owner, undefined);
  });

  it.each(deletionsLast)('are accepted by %s', async (_, spec) => {
    const reply = await send(owner.tenant, spec, await sound(owner, spec), `Bearer ${all}`);
    if (reply.status >= 400) expect(metBySound).toContain(reply.json.code);
    else expect(Object.keys(spec.responses)).toContain(String(reply.status));
  });
});

/** Places of the path's placeholders that hold a tenant's own ids. */
function owned(path: string): { at: number }[] {
  return pathReferences(path).flatMap(({ kind }, at) => (everybodys.includes(kind) ? [] : [{ at }]));
}
