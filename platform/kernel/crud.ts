/** The handler of all configuration resources, built from the contract's `crud()` definitions. */
import type { CompiledOperation, ConfigurationFacts, ReferenceTarget } from '../../contract/kit/operation.ts';
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import {
  type Alongside,
  Configuration,
  etagOf,
  type Place,
  requireVersion,
  type Stored,
} from '../records/configuration.ts';
import { type Reference, requireReferences } from '../records/references.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import type { Values } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { created, noContent, ok, type PageQuery, pageOf } from './replies.ts';
import { type Caller, type Handlers, resource } from './resource.ts';

export interface ConfigurationServices {
  readonly table: TenantTable;
  readonly configuration: Configuration;
}

export const configurationServices = (tenant: TenantId): ConfigurationServices => {
  const table = coreTable(tenant);
  return { table, configuration: new Configuration(table, tenant) };
};

/** Special behavior of a resource, beyond storing its members. */
export interface Peculiarities {
  /** Throws if the new members and the unchanged ones do not fit together. `before` is null for a new item. */
  readonly check?: (members: Values, given: Values, before: Stored | null) => void;
  /** References inside members, in addition to those in the contract. */
  readonly references?: (given: Values) => Reference[];
  /** Returns the members to store in place of the given ones. `id` is the id of the item. */
  readonly stored?: (given: Values, tenant: TenantId, id: string, before: Stored | null) => Promise<Values>;
  /** Initial members of an item, in addition to the given ones. */
  readonly initial?: (tenant: TenantId, id: string, services: ConfigurationServices) => Promise<Values>;
  readonly alongside?: Alongside;
  readonly atMost?: Place['atMost'];
  /** Members of the response that differ from the stored ones. */
  readonly shown?: (stored: Stored, tenant: TenantId, now: Date) => Values | Promise<Values>;
  /** Prepares the deletion of an item that nothing refers to, for example by removing its data. */
  readonly beforeDelete?: (stored: Stored, caller: Caller, services: ConfigurationServices) => Promise<void>;
  /** Removes the remaining data of a deleted item. */
  readonly afterDelete?: (
    id: string,
    tenant: TenantId,
    services: ConfigurationServices,
    now: Date,
  ) => Promise<void>;
}

interface Given extends Caller {
  readonly params: Readonly<Record<string, string>>;
  readonly query: PageQuery;
  readonly body: Values;
}

interface Kind {
  readonly facts: ConfigurationFacts;
  readonly own: Peculiarities;
  readonly placeOf: (params: Given['params']) => Place;
}

type Answer = (kind: Kind, given: Given, services: ConfigurationServices) => Promise<unknown>;
type Operations = Readonly<Record<string, CompiledOperation>>;
type Configured = CompiledOperation & { readonly configuration: ConfigurationFacts };
type ConfiguredNames<Module> = {
  [Name in keyof Module]: Module[Name] extends Configured ? Name : never;
}[keyof Module];

/** Makes the Lambda of a module that has only configuration resources. */
export function configurationResource<Module extends Operations>(
  module: Module,
  peculiarities: Readonly<Record<string, Peculiarities>> = {},
) {
  const handlers = configurationHandlers(module, peculiarities);
  return resource(module, configurationServices, handlers as Handlers<Module, ConfigurationServices>);
}

/** The handlers of all operations that `crud()` made. `peculiarities` has the special behavior of each type of configuration. */
export function configurationHandlers<Module extends Operations>(
  module: Module,
  peculiarities: Readonly<Record<string, Peculiarities>> = {},
): Pick<Handlers<Module, ConfigurationServices>, ConfiguredNames<Module> & keyof Handlers<Module, never>> {
  const operations = Object.values(module).filter(
    (operation): operation is Configured => operation.configuration !== undefined,
  );
  const ownOf = ({ type }: ConfigurationFacts) => peculiarities[type] ?? {};
  const all = operations.map(({ configuration }) => configuration);
  const handlers = operations.map(({ id, configuration: facts }) => {
    const child = all.find(({ parent }) => parent?.type === facts.type);
    const own = ownOf(facts);
    const placeOf = (params: Given['params']): Place => ({
      ...placeAt(facts, own, params),
      ...(child && {
        children: (parent) => placeAt(child, ownOf(child), { ...params, [facts.id]: parent }),
      }),
    });
    const kind: Kind = { facts, own, placeOf };
    const handler = (given: Given, services: ConfigurationServices) =>
      answers[facts.action](kind, given, services);
    return [id, handler];
  });
  return Object.fromEntries(handlers);
}

const answers: Readonly<Record<ConfigurationFacts['action'], Answer>> = {
  create: async (kind, given, services) => {
    const { facts, own, placeOf } = kind;
    const { params, body, tenant, now, newResourceId: id } = given;
    const { table, configuration } = services;
    const members = { ...facts.members, ...body };
    own.check?.(members, body, null);
    const stored = async () => {
      await requireReferences(table, tenant, referencesOf(facts, own, members));
      const kept = (await own.stored?.(members, tenant, id, null)) ?? members;
      return { ...kept, ...(await own.initial?.(tenant, id, services)) };
    };
    const item = await configuration.create(placeOf(params), id, {
      now,
      members: stored,
      alongside: own.alongside,
    });
    const path = `${pathOf(facts, params)}/${item.id}`;
    return created(await view(kind, given, item), path, etagOf(item));
  },

  list: (kind, given, { configuration }) => {
    const { params, query } = given;
    const place = kind.placeOf(params);
    const path = pathOf(kind.facts, params);
    return pageOf(query, {
      path,
      filters: [path],
      find: (position, size) => configuration.page(place, position, size),
      read: async (ids) => {
        const items = await configuration.getMany(place, ids);
        return Promise.all(items.map((item) => listed(kind, given, item)));
      },
    });
  },

  get: async (kind, given, { configuration }) => {
    const { params } = given;
    const item = await configuration.get(kind.placeOf(params), defined(params[kind.facts.id]));
    return ok(await view(kind, given, item), etagOf(item));
  },

  update: async (kind, given, { table, configuration }) => {
    const { facts, own, placeOf } = kind;
    const { params, body, tenant, now, ifMatch } = given;
    const id = defined(params[facts.id]);
    const members = withDefaults(facts, body);
    const change = async (current: Stored) => {
      own.check?.({ ...current, ...members }, members, current);
      await requireReferences(table, tenant, referencesOf(facts, own, members));
      return (await own.stored?.(members, tenant, id, current)) ?? members;
    };
    const item = await configuration.update(placeOf(params), id, {
      now,
      ifMatch,
      change,
      alongside: own.alongside,
    });
    return ok(await view(kind, given, item), etagOf(item));
  },

  delete: async ({ facts, own, placeOf }, given, services) => {
    const { params, tenant, now, ifMatch } = given;
    const { configuration } = services;
    const place = placeOf(params);
    const id = defined(params[facts.id]);
    if (own.beforeDelete !== undefined) {
      const stored = await configuration.get(place, id);
      requireVersion(stored, ifMatch);
      await configuration.requireUnused(place, stored);
      await own.beforeDelete(stored, given, services);
    }
    await configuration.delete(place, id, { now, ifMatch, alongside: own.alongside });
    await own.afterDelete?.(id, tenant, services, now);
    return noContent();
  },
};

/** `null` resets a member to its default. A member without a default is removed. */
function withDefaults({ members }: ConfigurationFacts, given: Values): Values {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value ?? members[name] ?? null]),
  );
}

function referencesOf({ references }: ConfigurationFacts, own: Peculiarities, given: Values): Reference[] {
  const named = Object.entries(references).flatMap(([member, target]) => {
    const value = given[member];
    if (Array.isArray(value)) {
      return value.map((id, at) => ({ pointer: `/${member}/${at}`, ...target, id: String(id) }));
    }
    return typeof value === 'string' ? [{ pointer: `/${member}`, ...target, id: value }] : [];
  });
  return [...named, ...(own.references?.(given) ?? [])];
}

function placeAt(facts: ConfigurationFacts, own: Peculiarities, params: Given['params']): Place {
  const { type, kind, parent, unique, references } = facts;
  return {
    type,
    kind,
    path: pathOf(facts, params),
    ...(parent !== undefined && {
      parent: { type: parent.type, kind: parent.kind, id: defined(params[parent.id]) },
    }),
    uses: (item) => referencesOf(facts, own, item).filter(isUse),
    mirrored: Object.entries(references).flatMap(([member, target]) =>
      target.mirror === undefined ? [] : [{ member, target: { ...target, mirror: target.mirror } }],
    ),
    ...(unique !== undefined && { unique }),
    ...(own.atMost !== undefined && { atMost: own.atMost }),
  };
}

/**
 * Whether a reference counts as a use of its target. Languages do not count, because they are never deleted. Mirrored
 * members do not count, because the target also stores the reference.
 */
const isUse = ({ type, mirror }: Reference & Pick<ReferenceTarget, 'mirror'>) =>
  type !== 'languages' && mirror === undefined;

const pathOf = ({ path }: ConfigurationFacts, params: Given['params']) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => defined(params[name]));

/** The members that callers see, in the contract's order. */
async function view({ facts, own }: Kind, { params, tenant, now }: Given, item: Stored): Promise<Values> {
  const { id, parent, members } = facts;
  const shown = { ...item, ...(await own.shown?.(item, tenant, now)) };
  return {
    [id]: item.id,
    ...(parent !== undefined && { [parent.id]: params[parent.id] }),
    ...Object.fromEntries(
      Object.entries(members).map(([name, nothing]) => [name, shown[name as keyof Stored] ?? nothing]),
    ),
    created_at: item.created_at,
    updated_at: item.updated_at,
  };
}

async function listed(kind: Kind, given: Given, item: Stored): Promise<Values> {
  const whole = Object.entries(await view(kind, given, item));
  return Object.fromEntries(whole.filter(([name]) => !kind.facts.leftOut.includes(name)));
}
