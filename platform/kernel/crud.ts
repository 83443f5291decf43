/** The handler of all configuration resources, built from the contract's `crud()` definitions. */
import type { CompiledOperation, ConfigurationFacts, ReferenceTarget } from '../../contract/kit/operation.ts';
import type { TenantId } from '../../shared/tenant.ts';
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
import type { TenantTable, Values } from '../table/tenant-table.ts';
import { type PageQuery, pageOf } from './pages.ts';
import { created, noContent, ok } from './replies.ts';
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
  /** References inside of members, in addition to those in the contract. */
  readonly references?: (given: Values) => Reference[];
  /** Returns the members to store in place of the given ones. `id` is that of the item. */
  readonly stored?: (given: Values, tenant: TenantId, id: string) => Promise<Values>;
  /** Initial members of an item, in addition to the given ones. */
  readonly begun?: (tenant: TenantId, id: string, services: ConfigurationServices) => Promise<Values>;
  readonly alongside?: Alongside;
  readonly atMost?: Place['atMost'];
  /** Members of the response that differ from the stored ones. */
  readonly shown?: (stored: Stored, tenant: TenantId, now: Date) => Values | Promise<Values>;
  /** Prepares the removal of data that belongs to an item without references. */
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

type Answer = (given: Given, services: ConfigurationServices) => Promise<unknown>;
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

/**
 * The handlers of all operations that `crud()` made.
 * @param peculiarities special behavior by type of configuration
 */
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
    const placeOf: PlaceOf = (params) => ({
      ...placeAt(facts, ownOf(facts), params),
      ...(child && {
        children: (parent) => placeAt(child, ownOf(child), { ...params, [facts.id]: parent }),
      }),
    });
    return [id, answers[facts.action](facts, ownOf(facts), placeOf)];
  });
  return Object.fromEntries(handlers);
}

type PlaceOf = (params: Given['params']) => Place;
type MakeAnswer = (facts: ConfigurationFacts, own: Peculiarities, placeOf: PlaceOf) => Answer;

const answers: Readonly<Record<ConfigurationFacts['action'], MakeAnswer>> = {
  create:
    (facts, own, placeOf) =>
    async ({ params, body, tenant, now, newResourceId: id }, services) => {
      const { table, configuration } = services;
      const members = { ...facts.members, ...body };
      own.check?.(members, body, null);
      const stored = async () => {
        await requireReferences(table, tenant, referencesOf(facts, own, members));
        const given = (await own.stored?.(members, tenant, id)) ?? members;
        return { ...given, ...(await own.begun?.(tenant, id, services)) };
      };
      const item = await configuration.create(placeOf(params), id, now, stored, own.alongside);
      return created(
        await view(facts, own, { params, tenant, now }, item),
        `${pathOf(facts, params)}/${item.id}`,
        etagOf(item),
      );
    },

  list:
    (facts, own, placeOf) =>
    ({ params, query, tenant, now }, { configuration }) => {
      const place = placeOf(params);
      const path = pathOf(facts, params);
      return pageOf(query, {
        path,
        filters: [path],
        find: (position, size) => configuration.page(place, position, size),
        read: async (ids) =>
          Promise.all(
            (await configuration.getMany(place, ids)).map((item) =>
              listed(facts, own, { params, tenant, now }, item),
            ),
          ),
      });
    },

  get:
    (facts, own, placeOf) =>
    async ({ params, tenant, now }, { configuration }) => {
      const item = await configuration.get(placeOf(params), params[facts.id]!);
      return ok(await view(facts, own, { params, tenant, now }, item), etagOf(item));
    },

  update:
    (facts, own, placeOf) =>
    async ({ params, body, tenant, now, ifMatch }, { table, configuration }) => {
      const id = params[facts.id]!;
      const given = withDefaults(facts, body);
      const change = async (current: Stored) => {
        own.check?.({ ...current, ...given }, given, current);
        await requireReferences(table, tenant, referencesOf(facts, own, given));
        return (await own.stored?.(given, tenant, id)) ?? given;
      };
      const place = placeOf(params);
      const item = await configuration.update(place, id, now, ifMatch, change, own.alongside);
      return ok(await view(facts, own, { params, tenant, now }, item), etagOf(item));
    },

  delete: (facts, own, placeOf) => async (given, services) => {
    const { params, tenant, now, ifMatch } = given;
    const { configuration } = services;
    const place = placeOf(params);
    const id = params[facts.id]!;
    if (own.beforeDelete !== undefined) {
      const stored = await configuration.get(place, id);
      requireVersion(stored, ifMatch);
      await configuration.requireUnused(place, stored);
      await own.beforeDelete(stored, given, services);
    }
    await configuration.delete(place, id, now, ifMatch, own.alongside);
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
      parent: { type: parent.type, kind: parent.kind, id: params[parent.id]! },
    }),
    uses: (item) => referencesOf(facts, own, item).filter(isUse),
    mirrored: Object.entries(references).flatMap(([member, target]) =>
      target.mirror === undefined ? [] : [{ member, target: { ...target, mirror: target.mirror } }],
    ),
    ...(unique !== undefined && { unique }),
    ...(own.atMost !== undefined && { atMost: own.atMost }),
  };
}

/** Leaves out languages, which cannot be deleted, and mirrored members, which the other side keeps. */
const isUse = ({ type, mirror }: Reference & Pick<ReferenceTarget, 'mirror'>) =>
  type !== 'languages' && mirror === undefined;

const pathOf = ({ path }: ConfigurationFacts, params: Given['params']) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!);

type Viewed = Pick<Given, 'params' | 'tenant' | 'now'>;

/** The members that callers see, in the contract's order. */
async function view(
  facts: ConfigurationFacts,
  own: Peculiarities,
  { params, tenant, now }: Viewed,
  item: Stored,
): Promise<Values> {
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

async function listed(facts: ConfigurationFacts, own: Peculiarities, viewed: Viewed, item: Stored) {
  const whole = Object.entries(await view(facts, own, viewed, item));
  return Object.fromEntries(whole.filter(([name]) => !facts.leftOut.includes(name)));
}
