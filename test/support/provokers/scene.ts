/** The place where responses are provoked: one environment for all operations, and the requests of one operation. */
import { operations } from '../../../contract/index.ts';
import type { OperationSpec } from '../../../contract/kit/operation.ts';
import { scopes } from '../../../contract/kit/scopes.ts';
import { type Answer, type Api, startApi, type Tenant } from '../api.ts';
import { Belongings, filled } from '../belongings.ts';
import { type Between, standBetween } from '../dynamodb-between.ts';
import type { Kind } from '../references.ts';
import { startStateMachines } from '../state-machines.ts';
import { prepared } from './prepared.ts';

export interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface World {
  readonly api: Api;
  /** Makes the database fail. */
  readonly between: Between;
  readonly tenant: Tenant;
  /** Resources of the tenant that no request changes. */
  readonly own: Belongings;
  /** The text of the key with this name. It is created at first use. */
  key(name: string, make: () => Promise<{ text: string }>): Promise<string>;
  close(): Promise<void>;
}

/** Import handlers only after this call. */
export async function startWorld(): Promise<World> {
  process.env.LOCAL_SECRET_KEY = 'a secret of this test, long enough for a key';
  // Retries of the SDK fail too, because the failures are intended.
  process.env.AWS_MAX_ATTEMPTS = '1';
  const machines = await startStateMachines();
  const api = await startApi();
  const between = await standBetween(api.environment.url);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = between.url;
  const tenant = await api.tenant('acme', scopes);
  const keys = new Map<string, string>();
  return {
    api,
    between,
    tenant,
    own: new Belongings(tenant),
    async key(name, make) {
      if (!keys.has(name)) keys.set(name, (await make()).text);
      return keys.get(name)!;
    },
    async close() {
      await api.close();
      await between.close();
      await machines.close();
    },
  };
}

/** One operation in one environment. */
export class Scene {
  readonly world: World;
  readonly spec: OperationSpec;

  constructor(world: World, spec: OperationSpec) {
    this.world = world;
    this.spec = spec;
  }

  /** Resources that the request may spoil. */
  fresh(): Belongings {
    return new Belongings(this.world.tenant);
  }

  /** A valid request, on resources that no other request uses. */
  async sound(own: Belongings = this.fresh()): Promise<Request> {
    if (this.spec.method === 'GET') await Promise.all(itemsOf(this.spec).map((kind) => own.id(kind)));
    const request = { params: await own.params(this.spec.path), body: await own.body(this.spec) };
    const change = prepared[this.spec.id];
    return change === undefined ? request : { ...request, ...(await change(own, request.body)) };
  }

  /** A request that is rejected before it changes anything. Such requests share their resources. */
  async shared(): Promise<Request> {
    const { own } = this.world;
    return { params: await own.params(this.spec.path), body: await own.body(this.spec) };
  }

  send({ params, query, body }: Request, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const search = new URLSearchParams(query).toString();
    const path = filled(this.spec.path, params) + (search === '' ? '' : `?${search}`);
    return this.world.tenant.call(this.spec.method, path, body, headers);
  }
}

/**
 * The kinds of resources in a list path, of which at least one must exist. They are the kinds with an operation for a
 * single one.
 */
const itemsOf = ({ path }: OperationSpec): Kind[] => {
  const paths = operations.map(({ spec }) => spec.path).filter((other) => other.startsWith(`${path}/{`));
  return [...new Set(paths)].filter((other) => other.split('/').length === path.split('/').length + 1);
};

/** Makes a request that gets one certain response. */
export type Provoker = (scene: Scene) => Promise<Answer>;
