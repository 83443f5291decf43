/**
 * Configuration: items with a version, each beside the index entry that lists it. Their members are what the
 * contract's `crud()` says; whatever else belongs to a change is written in the same transaction.
 */
import { NotFound, PreconditionFailed } from '../shared/problems.ts';
import type { TenantId } from '../shared/tenant.ts';
import { type PageOfIds, type Position, pageOfIds } from './id-pages.ts';
import { absent, configurationKey, facetKey, present, variantKey } from './keys.ts';
import { retrying } from './retrying.ts';
import { type Key, type TenantTable, TransactionRefused, type Values, type Write } from './table.ts';

export interface Stored extends Values {
  readonly id: string;
  /** Rises with every change; the ETag. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Where items of one type are kept: the tenant's own, or those of one parent. */
export interface Place {
  readonly type: string;
  /** What a sentence calls one: `template`. */
  readonly kind: string;
  readonly parent?: { readonly type: string; readonly kind: string; readonly id: string };
}

type Members = Values;
/** What is written together with an item, before it (null: there was none) and after. */
export type Alongside = (before: Stored | null, after: Stored | null) => readonly Write[];

const nothing: Alongside = () => [];
const seenVersion = 'version = :seen';
/** Attempts at a change before others' changes are the caller's concern. */
const ATTEMPTS = 5;

export class Configuration {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
  }

  /** Creates the item under `id`; the same id again answers the item that is there. */
  async create(place: Place, id: string, now: Date, members: Members, alongside = nothing): Promise<Stored> {
    const time = now.toISOString();
    const item = { ...members, id, version: 1, created_at: time, updated_at: time };
    const writes: Write[] = [
      { put: { ...item, ...this.#key(place, id) }, condition: absent },
      { put: this.#entry(place, id) },
      ...alongside(null, item),
    ];
    if (place.parent !== undefined) writes.push({ check: this.#parentKey(place.parent), condition: present });
    try {
      await this.#table.transact(writes);
      return item;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const existing = error.actions[0]?.current;
      if (existing) return existing as unknown as Stored;
      if (place.parent !== undefined) throw new NotFound(place.parent.kind, place.parent.id);
      throw error;
    }
  }

  async get(place: Place, id: string): Promise<Stored> {
    const [found, isOrphan] = await Promise.all([
      this.#table.get<Stored>(this.#key(place, id)),
      this.#isOrphaned(place),
    ]);
    if (found === null || isOrphan) throw new NotFound(place.kind, id);
    return found;
  }

  /** One page of ids, newest first. Throws where the parent does not exist. */
  async page(place: Place, position: Position, size: number): Promise<PageOfIds> {
    const { parent } = place;
    if (parent !== undefined && (await this.#isOrphaned(place))) throw new NotFound(parent.kind, parent.id);
    return pageOfIds(this.#table, this.#tenant, [facetOf(place)], position, size);
  }

  /** The items of those ids that are still there, in that order. */
  getMany(place: Place, ids: readonly string[]): Promise<Stored[]> {
    const keys = ids.map((id) => this.#key(place, id));
    return this.#table.getAll<Stored>(keys, false);
  }

  /**
   * Changes members. `change` sees the item as it stands and may run again where others change it meanwhile;
   * no members leave the item as it is.
   */
  async update(
    place: Place,
    id: string,
    now: Date,
    ifMatch: string | undefined,
    change: (current: Stored) => Promise<Members> | Members,
    alongside = nothing,
  ): Promise<Stored> {
    return this.#retrying(place, id, async () => {
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
      await this.#table.transact([
        { put, condition: seenVersion, values: { seen } },
        ...alongside(current, next),
      ]);
      return next;
    });
  }

  async delete(place: Place, id: string, ifMatch: string | undefined, alongside = nothing): Promise<void> {
    await this.#retrying(place, id, async () => {
      const current = await this.#matching(place, id, ifMatch);
      const values = { seen: current.version };
      await this.#table.transact([
        { delete: this.#key(place, id), condition: seenVersion, values },
        { delete: this.#entry(place, id) },
        ...alongside(current, null),
      ]);
    });
  }

  /** Removes all items of a place whose parent is gone, so that nothing is added meanwhile. */
  async deleteAll(place: Place): Promise<void> {
    for (;;) {
      const { ids } = await pageOfIds(this.#table, this.#tenant, [facetOf(place)], { skip: 0 }, 50);
      if (ids.length === 0) return;
      const writes = ids.flatMap((id) => [
        { delete: this.#key(place, id) },
        { delete: this.#entry(place, id) },
      ]);
      await this.#table.transact(writes);
    }
  }

  async #isOrphaned({ parent }: Place): Promise<boolean> {
    return parent !== undefined && (await this.#table.get(this.#parentKey(parent))) === null;
  }

  async #matching(place: Place, id: string, ifMatch: string | undefined): Promise<Stored> {
    const current = await this.get(place, id);
    requireVersion(current, ifMatch);
    return current;
  }

  #retrying<T>({ kind }: Place, id: string, attempt: () => Promise<T>): Promise<T> {
    return retrying({ kind, id, attempts: ATTEMPTS }, attempt);
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

/** Lists of configuration stand beside those of assets, under a name that no filter has. */
const facetOf = ({ type, parent }: Place) =>
  parent === undefined ? `configuration#${type}` : `configuration#${type}#${parent.id}`;

/** Throws precondition_failed where the caller knows another version. */
export function requireVersion(current: Stored, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && ifMatch !== etagOf(current)) throw new PreconditionFailed(etagOf(current));
}

export const etagOf = ({ version }: Pick<Stored, 'version'>): string => String(version);
