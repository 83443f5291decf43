/** Children of an asset, one item each: speakers, centers of interest, sound descriptions, audio tracks. */
import { defined, itemAt } from '../../shared/checked-access.ts';
import type { AssetId, TenantId } from '../../shared/ids.ts';
import { checked } from '../../shared/parse.ts';
import { NotFound, NotUnique, PreconditionFailed, WriteConflict } from '../../shared/problems.ts';
import { type PageOfItems, type Position, pageOfItems } from '../table/id-pages.ts';
import { absent, assetKey, childKey, childNameKey, childPrefix, present } from '../table/keys.ts';
import { retryOnConflict } from '../table/retry-on-conflict.ts';
import { buildUpdate, type Item, type Key } from '../table/table.ts';
import { type TenantTable, TransactionRefused, type Write } from '../table/tenant-table.ts';

export interface Child {
  /** Rises with every change. It is the ETag. */
  readonly version: number;
  readonly updated_at: string;
}

export interface ChildKind {
  /** The prefix of their sort keys: `SPK` for `SPK#{id}`. */
  readonly prefix: string;
  /** The name of the kind in problem details. */
  readonly name: string;
  /** The member whose value is unique within the asset. */
  readonly unique?: string;
}

/** The maximum number of attempts at a change. After that, the caller gets write_conflict. */
const RENAME_ATTEMPTS = 5;

export class AssetChildren<Stored extends Child> {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #kind: ChildKind;

  constructor(table: TenantTable, tenant: TenantId, kind: ChildKind) {
    this.#table = table;
    this.#tenant = tenant;
    this.#kind = kind;
  }

  #key(assetId: AssetId, id: string): Key {
    return childKey(this.#tenant, assetId, this.#kind.prefix, id);
  }

  async list(assetId: AssetId): Promise<Stored[]> {
    const { pk } = this.#key(assetId, '');
    const items = await this.#table.queryAll<Stored>({
      pk,
      beginsWith: childPrefix(this.#kind.prefix),
      consistent: true,
    });
    return items.map(withoutKey);
  }

  async page(assetId: AssetId, position: Position, size: number): Promise<PageOfItems<Stored>> {
    const { pk } = this.#key(assetId, '');
    const place = { pk, prefix: this.#kind.prefix };
    const { items, ...page } = await pageOfItems<Stored>(this.#table, place, position, size);
    return { ...page, items: items.map(withoutKey) };
  }

  async find(assetId: AssetId, id: string): Promise<Stored | null> {
    const found = await this.#table.get<Stored>(this.#key(assetId, id));
    return found && withoutKey(found);
  }

  async get(assetId: AssetId, id: string): Promise<Stored> {
    const found = await this.find(assetId, id);
    if (found === null) throw new NotFound(this.#kind.name, id);
    return found;
  }

  /**
   * Creates a child under `id`. Throws NotFound while the asset is being deleted, and NotUnique if another child has
   * the unique value. A repeat with the same id returns the existing child.
   */
  async create(assetId: AssetId, id: string, item: Stored): Promise<Stored> {
    try {
      await this.#table.transact([
        checkAssetExists(this.#tenant, assetId),
        { put: { ...this.#key(assetId, id), ...item }, condition: absent },
        ...this.#taking(assetId, id, item),
      ]);
      return item;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      requireAssetExists(assetId, error);
      const [, existing, taken] = error.actions;
      if (defined(existing).failed) return withoutKey(checked<Stored & Key>({})(defined(existing).current));
      throw this.#notUnique(item, defined(taken).current);
    }
  }

  async change(
    assetId: AssetId,
    id: string,
    {
      set,
      now,
      ifMatch,
    }: {
      readonly set: Partial<Omit<Stored, 'version' | 'updated_at'>>;
      readonly now: Date;
      readonly ifMatch?: string | undefined;
    },
  ): Promise<Stored> {
    const { condition, seen } = conditionFor(ifMatch);
    const fields = { ...set, updated_at: now.toISOString() };
    const terms = { raises: 'version', condition, ...(seen && { values: seen }) };
    const { unique } = this.#kind;
    if (unique !== undefined && unique in set) return this.#rename(assetId, id, fields, ifMatch);
    const update = buildUpdate(this.#key(assetId, id), fields, terms);
    const { isDone, item } = await this.#table.tryUpdate(update);
    if (!isDone) throw this.#failure(id, item);
    return withoutKey(checked<Stored & Key>({})(item));
  }

  /** Changes the unique value: reserves the new one and releases the old one, or does neither. */
  async #rename(assetId: AssetId, id: string, fields: object, ifMatch: string | undefined): Promise<Stored> {
    return retryOnConflict({ kind: this.#kind.name, id, attempts: RENAME_ATTEMPTS }, async () => {
      const current = await this.get(assetId, id);
      if (ifMatch !== undefined && ifMatch !== String(current.version))
        throw new PreconditionFailed(String(current.version));
      const next: Stored = { ...current, ...fields, version: current.version + 1 };
      const [before, after] = [this.#taking(assetId, id, current), this.#taking(assetId, id, next)];
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      const put = { ...this.#key(assetId, id), ...next };
      const seen = { seen: current.version };
      try {
        await this.#table.transact([
          { put, condition: 'version = :seen', values: seen },
          ...(isSame ? [] : [...after, ...before.map(({ put: { pk, sk } }) => ({ delete: { pk, sk } }))]),
        ]);
      } catch (error) {
        const isOutdated = !(error instanceof TransactionRefused) || itemAt(error.actions, 0).failed;
        if (isOutdated) throw error;
        throw this.#notUnique(next, itemAt(error.actions, 1).current);
      }
      return next;
    });
  }

  /** The write that reserves the unique value; none if the kind has no unique member. */
  #taking(assetId: AssetId, id: string, item: Stored) {
    const { unique, prefix } = this.#kind;
    if (unique === undefined) return [];
    const value = memberText(item, unique);
    const put = { ...childNameKey(this.#tenant, assetId, prefix, value), id };
    return [{ put, condition: `${absent} OR id = :id`, values: { id } }];
  }

  #notUnique(item: Stored, holder: Item | null): NotUnique {
    const { name, unique } = this.#kind;
    const value = memberText(item, defined(unique));
    const holderId = String(holder?.id);
    const detail = `The asset already has the ${name} ${JSON.stringify(value)}: ${holderId}.`;
    return new NotUnique(`/${unique}`, detail, holderId);
  }

  /** @param alongside more writes for the transaction */
  async delete(
    assetId: AssetId,
    id: string,
    ifMatch?: string,
    alongside: readonly Write[] = [],
  ): Promise<void> {
    const { condition, seen } = conditionFor(ifMatch);
    const names = { '#version': 'version' };
    const given = this.#kind.unique === undefined ? [] : await this.#givingBack(assetId, id);
    try {
      await this.#table.transact([
        { delete: this.#key(assetId, id), condition, ...(seen && { values: seen, names }) },
        ...given,
        ...alongside,
      ]);
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const [own] = error.actions;
      if (!defined(own).failed) throw new WriteConflict(this.#kind.name, id);
      throw this.#failure(id, defined(own).current);
    }
  }

  /** The writes that release the unique value. They fail if the child was renamed meanwhile. */
  async #givingBack(assetId: AssetId, id: string): Promise<Write[]> {
    const found = await this.find(assetId, id);
    if (found === null) throw new NotFound(this.#kind.name, id);
    return this.#taking(assetId, id, found).map(({ put: { pk, sk }, condition, values }) => {
      return { delete: { pk, sk }, condition, values };
    });
  }

  #failure(id: string, current: object | null): Error {
    if (current === null) return new NotFound(this.#kind.name, id);
    return new PreconditionFailed(String((current as Child).version));
  }
}

/** The write that refuses the transaction if the asset does not exist or is being deleted. */
export const checkAssetExists = (tenant: TenantId, assetId: AssetId): Write => ({
  check: assetKey(tenant, assetId),
  condition: `${present} AND #status <> :deleting`,
  names: { '#status': 'status' },
  values: { deleting: 'deleting' },
});

/** Throws NotFound if `checkAssetExists`, the first write of the transaction, failed. */
export function requireAssetExists(assetId: AssetId, { actions }: TransactionRefused): void {
  if (itemAt(actions, 0).failed) throw new NotFound('asset', assetId);
}

/** The condition for an If-Match. A value that is not a number matches no version. */
function conditionFor(ifMatch: string | undefined) {
  if (ifMatch === undefined) return { condition: present };
  const seen = /^\d{1,15}$/.test(ifMatch) ? Number(ifMatch) : 0;
  return { condition: `${present} AND #version = :seen`, seen: { seen } };
}

const memberText = (item: object, member: string): string =>
  String(new Map<string, unknown>(Object.entries(item)).get(member));

function withoutKey<Stored>({ pk: _, sk: __, ...rest }: Stored & Key): Stored {
  return rest as Stored;
}
