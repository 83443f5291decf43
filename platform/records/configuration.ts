/**
 * Configuration: items with a version, each with an index entry that lists it. The contract's `crud()` defines their
 * members. All other writes of a change go into the same transaction.
 */
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import { checked, number, text } from '../../shared/parse.ts';
import { NotFound, PreconditionFailed, Problem } from '../../shared/problems.ts';
import { commit, type Guarded, unguarded } from '../table/guarded-writes.ts';
import { type PageOfIds, type Position, pageOfIds } from '../table/id-pages.ts';
import {
  absent,
  configurationCountKey,
  configurationKey,
  facetKey,
  present,
  uniqueKey,
  variantKey,
} from '../table/keys.ts';
import { retryOnConflict } from '../table/retry-on-conflict.ts';
import type { Key, Values } from '../table/table.ts';
import { type TenantTable, TransactionRefused, type Write } from '../table/tenant-table.ts';
import { type Mirrored, mirrorWrites, requireUnlisted } from './mirrored-members.ts';
import {
  closing,
  counted,
  endOfUnused,
  endWithChildren,
  requireUnused,
  type Target,
  type Uses,
  usesChanged,
} from './reference-counts.ts';
import type { Reference } from './references.ts';

export interface Stored extends Values {
  readonly id: string;
  /** Rises with every change. It is the ETag. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Where items of one type are stored: all items of the tenant, or the children of one parent. */
export interface Place {
  readonly type: string;
  /** The name of one item in messages: `template`. */
  readonly kind: string;
  readonly parent?: Target;
  /** Path of the collection, for the paths of items in problems. */
  readonly path?: string;
  /** The references of an item. Referenced items cannot be deleted. */
  readonly uses?: (item: Stored) => readonly Reference[];
  /** Members that the other item of a relation shows too. */
  readonly mirrored?: readonly Mirrored[];
  /** The member whose value is unique within the parent. */
  readonly unique?: string;
  /** The maximum number of items of a tenant, and the error for one more item. */
  readonly atMost?: { readonly items: number; readonly refusal: () => Error };
  /** Where the item's children are stored. They are few, and the transaction that deletes the item deletes them too. */
  readonly children?: (id: string) => Place;
}

const storedItem = checked<Stored>({ id: text, version: number });

type Members = Values;
/** Makes additional writes for the transaction of a change. `before` is null for a new item, `after` for a deleted item. */
export type Alongside = (before: Stored | null, after: Stored | null, tenant: TenantId) => readonly Write[];

const nothing: Alongside = () => [];
const seenVersion = 'version = :seen';
/** The maximum number of attempts at a change. After that, the caller gets write_conflict. */
const ATTEMPTS = 5;

export class Configuration {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
  }

  /**
   * Creates the item under `id`. A repeat with the same id returns the existing item. `members` may run again if
   * referenced items change meanwhile.
   */
  async create(
    place: Place,
    id: string,
    {
      now,
      members,
      alongside = nothing,
    }: {
      readonly now: Date;
      readonly members: () => Promise<Members> | Members;
      readonly alongside?: Alongside | undefined;
    },
  ): Promise<Stored> {
    return this.#retryOnConflict(place, id, async () => {
      const time = now.toISOString();
      const item = { ...(await members()), id, version: 1, created_at: time, updated_at: time };
      const writes = [
        unguarded({ put: { ...item, ...this.#key(place, id) }, condition: absent }),
        unguarded({ put: this.#entry(place, id) }),
        ...this.#joining(place),
        ...this.#countNew(place),
        ...usesChanged(this.#tenant, [], [usesOf(place, item)]),
        ...(await this.#beside(place, null, item, now)),
        ...alongside(null, item, this.#tenant).map(unguarded),
      ];
      try {
        await commit(this.#table, writes);
        return item;
      } catch (error) {
        const existing = error instanceof TransactionRefused && error.actions[0]?.current;
        if (existing) return storedItem(existing);
        throw error;
      }
    });
  }

  async get(place: Place, id: string): Promise<Stored> {
    const [found, isOrphan] = await Promise.all([
      this.#table.get<Stored>(this.#key(place, id)),
      this.#isOrphaned(place),
    ]);
    if (found === null || isOrphan) throw new NotFound(place.kind, id);
    return found;
  }

  /** One page of ids, newest first. Throws NotFound if the parent does not exist. */
  async page(place: Place, position: Position, size: number): Promise<PageOfIds> {
    const { parent } = place;
    if (parent !== undefined && (await this.#isOrphaned(place))) throw new NotFound(parent.kind, parent.id);
    return pageOfIds(this.#table, this.#tenant, { facets: [facetOf(place)], position, size });
  }

  /** The items with these ids that still exist, in this order. */
  getMany(place: Place, ids: readonly string[]): Promise<Stored[]> {
    const keys = ids.map((id) => this.#key(place, id));
    return this.#table.getAll<Stored>(keys, false);
  }

  /** Changes members. `change` runs again if the item changes meanwhile. If it returns no members, the item stays as it is. */
  async update(
    place: Place,
    id: string,
    {
      now,
      ifMatch,
      change,
      alongside = nothing,
    }: {
      readonly now: Date;
      readonly ifMatch?: string | undefined;
      readonly change: (current: Stored) => Promise<Members> | Members;
      readonly alongside?: Alongside | undefined;
    },
  ): Promise<Stored> {
    return this.#retryOnConflict(place, id, async () => {
      const current = await this.#matching(place, id, ifMatch);
      const members = await change(current);
      if (Object.keys(members).length === 0) return current;
      const next: Stored = {
        ...current,
        ...members,
        version: current.version + 1,
        updated_at: now.toISOString(),
      };
      const put = { ...next, ...this.#key(place, id) };
      const { version: seen } = current;
      await commit(this.#table, [
        unguarded({ put, condition: seenVersion, values: { seen } }),
        ...usesChanged(this.#tenant, [usesOf(place, current)], [usesOf(place, next)]),
        ...(await this.#beside(place, current, next, now)),
        ...alongside(current, next, this.#tenant).map(unguarded),
      ]);
      return next;
    });
  }

  /** Deletes the item with its children. Throws invalid_state while other items refer to it. */
  async delete(
    place: Place,
    id: string,
    {
      now,
      ifMatch,
      alongside = nothing,
    }: {
      readonly now: Date;
      readonly ifMatch?: string | undefined;
      readonly alongside?: Alongside | undefined;
    },
  ): Promise<void> {
    await this.#retryOnConflict(place, id, async () => {
      const current = await this.#matching(place, id, ifMatch);
      const values = { seen: current.version };
      const children = place.children?.(id);
      const left = children === undefined ? [] : await this.#all(children);
      const target = { ...place, id };
      const uses = [usesOf(place, current), ...left.map((child) => usesOf(defined(children), child))];
      requireUnlisted(heldIn(place), place.kind, current);
      await commit(this.#table, [
        unguarded({ delete: this.#key(place, id), condition: seenVersion, values }),
        children === undefined
          ? endOfUnused(this.#table, this.#tenant, target)
          : endWithChildren(this.#tenant, target, left.length),
        ...usesChanged(this.#tenant, uses, []),
        ...(await this.#ended(place, current, now)),
        ...(await Promise.all(left.map((child) => this.#ended(defined(children), child, now)))).flat(),
        ...left.map((child) => unguarded({ delete: this.#key(defined(children), child.id) })),
        ...(place.parent === undefined ? [] : [unguarded(counted(this.#tenant, place.parent, -1))]),
        ...this.#countRemoved(place),
        ...alongside(current, null, this.#tenant).map(unguarded),
      ]);
    });
  }

  async requireUnused(place: Place, item: Stored): Promise<void> {
    requireUnlisted(heldIn(place), place.kind, item);
    if (place.children === undefined)
      await requireUnused(this.#table, this.#tenant, { ...place, id: item.id });
  }

  /** Allows no new references, so that the item can be deleted in steps. Throws invalid_state while other items refer to the item. */
  async close(place: Place, id: string): Promise<void> {
    await commit(this.#table, [
      {
        write: { check: this.#key(place, id), condition: present },
        refusal: () => new NotFound(place.kind, id),
      },
      closing(this.#table, this.#tenant, { ...place, id }),
    ]);
  }

  /** The additional writes of a change: unique values, and the counterparts of mirrored members. */
  async #beside(place: Place, before: Stored | null, after: Stored | null, now: Date): Promise<Guarded[]> {
    const change = { id: defined(before ?? after).id, before, after, now };
    return [
      ...this.#unique(place, before, after),
      ...(await mirrorWrites(this.#table, this.#tenant, place.mirrored ?? [], change)),
    ];
  }

  /** The writes that reserve the unique value within the parent, and release the old one. */
  #unique({ unique, parent, kind }: Place, before: Stored | null, after: Stored | null): Guarded[] {
    if (unique === undefined || before?.[unique] === after?.[unique]) return [];
    const keyOf = (item: Stored) => uniqueKey(this.#tenant, defined(parent).id, unique, String(item[unique]));
    const given = before === null ? [] : [unguarded({ delete: keyOf(before) })];
    if (after === null) return given;
    const { id } = after;
    const put = { ...keyOf(after), id };
    const refusal = (holder: Values | null) => {
      const detail = `The ${defined(parent).kind} already has one ${kind} for ${after[unique]}: ${holder?.id}.`;
      const findings = [{ pointer: `/${unique}`, code: 'not_unique', detail }];
      return new Problem('invalid_state', detail, { findings });
    };
    return [...given, { write: { put, condition: `${absent} OR id = :id`, values: { id } }, refusal }];
  }

  /** The writes that count a new child in its parent, so that the deletion of the parent leaves no child behind. */
  #joining({ parent }: Place): Guarded[] {
    if (parent === undefined) return [];
    const refusal = () => new NotFound(parent.kind, parent.id);
    return [
      { write: { check: this.#parentKey(parent), condition: present }, refusal },
      { write: counted(this.#tenant, parent, 1), refusal },
    ];
  }

  /** Counts a new item. Fails at the maximum number of items, also for simultaneous requests. */
  #countNew({ type, atMost }: Place): Guarded[] {
    if (atMost === undefined) return [];
    const update = {
      key: configurationCountKey(this.#tenant, type),
      expression: 'ADD item_count :one',
      values: { one: 1, most: atMost.items },
      condition: `${absent} OR item_count < :most`,
    };
    return [{ write: { update }, refusal: atMost.refusal }];
  }

  #countRemoved({ type, atMost }: Place): Guarded[] {
    if (atMost === undefined) return [];
    const key = configurationCountKey(this.#tenant, type);
    return [unguarded({ update: { key, expression: 'ADD item_count :less', values: { less: -1 } } })];
  }

  /** All items of a place with few items. */
  async #all(place: Place): Promise<Stored[]> {
    const { ids } = await pageOfIds(this.#table, this.#tenant, {
      facets: [facetOf(place)],
      position: { skip: 0 },
      size: 50,
    });
    return this.#table.getAll<Stored>(ids.map((id) => this.#key(place, id)));
  }

  /** The writes that remove an item's list entry and its additional data. */
  async #ended(place: Place, item: Stored, now: Date): Promise<Guarded[]> {
    return [
      unguarded({ delete: this.#entry(place, item.id) }),
      ...(await this.#beside(place, item, null, now)),
    ];
  }

  async #isOrphaned({ parent }: Place): Promise<boolean> {
    return parent !== undefined && (await this.#table.get(this.#parentKey(parent))) === null;
  }

  async #matching(place: Place, id: string, ifMatch: string | undefined): Promise<Stored> {
    const current = await this.get(place, id);
    requireVersion(current, ifMatch);
    return current;
  }

  #retryOnConflict<T>({ kind }: Place, id: string, attempt: () => Promise<T>): Promise<T> {
    return retryOnConflict({ kind, id, attempts: ATTEMPTS }, attempt);
  }

  #key({ type, parent }: Place, id: string): Key {
    if (parent === undefined) return configurationKey(this.#tenant, type, id);
    return variantKey(this.#tenant, parent.id, id);
  }

  #parentKey({ type, id }: NonNullable<Place['parent']>): Key {
    return configurationKey(this.#tenant, type, id);
  }

  #entry(place: Place, id: string): Key {
    return facetKey(this.#tenant, facetOf(place), id);
  }
}

const usesOf = (place: Place, item: Stored): Uses => ({
  path: `${place.path}/${item.id}`,
  references: place.uses?.(item) ?? [],
});

/** The mirrored members by which another item lists this one. */
const heldIn = ({ mirrored = [] }: Place) => mirrored.filter(({ target }) => target.mirror.isList);

/** The facet that lists the items of a place. No asset filter has such a name. */
const facetOf = ({ type, parent }: Place) =>
  parent === undefined ? `configuration#${type}` : `configuration#${type}#${parent.id}`;

export function requireVersion(current: Stored, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && ifMatch !== etagOf(current)) throw new PreconditionFailed(etagOf(current));
}

export const etagOf = ({ version }: Pick<Stored, 'version'>): string => String(version);
