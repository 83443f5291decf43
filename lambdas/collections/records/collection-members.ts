/**
 * The assets of a collection. One transaction changes an asset and its index entries, so that they always agree. A
 * hundred assets need up to 300 writes in several transactions, because each holds 100 (docs/decisions/0023).
 */
import { backoff } from '../../../platform/table/backoff.ts';
import { pageOfIds } from '../../../platform/table/id-pages.ts';
import { configurationKey, present } from '../../../platform/table/keys.ts';
import { isCancelled, type TenantTable, type Write } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { type AssetId, asAssetId, type TenantId } from '../../../shared/ids.ts';
import { NotFound, Problem, requireKnown, WriteConflict } from '../../../shared/problems.ts';
import { Assets } from '../../assets/records/assets.ts';

/** The number of writes that DynamoDB accepts in one transaction. */
const WRITES_AT_ONCE = 100;
/** The maximum number of attempts of a change. It can conflict with other writes, such as the assets' progress. */
const ATTEMPTS = 8;
const ASSETS_AT_ONCE = 30;
/** Replaces the total of a list, so that pages are read without counting. */
const uncounted = { total: 0, total_is_lower_bound: true };

export class CollectionMembers {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #assets: Assets;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
    this.#assets = new Assets(table, tenant);
  }

  add(collection: string, assetIds: readonly AssetId[], now: Date): Promise<void> {
    return this.#settle(collection, assetIds, (asset) =>
      asset.collection_id === collection ? [] : this.#assets.moveWrites(asset, collection, now),
    );
  }

  remove(collection: string, assetIds: readonly AssetId[], now: Date): Promise<void> {
    return this.#settle(collection, assetIds, (asset) => this.#departure(asset, collection, now));
  }

  /** Removes all assets from a deleted collection. Does nothing if the collection still exists. */
  async removeAll(collection: string, now: Date): Promise<void> {
    const isThere = (await this.#table.get(this.#collectionKey(collection))) !== null;
    if (isThere) return;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await this.#sweep(collection, now)) return;
      await backoff(attempt);
    }
    throw new WriteConflict('collection', collection);
  }

  /** Removes all listed assets once. False if another request changed an asset at the same time. */
  async #sweep(collection: string, now: Date): Promise<boolean> {
    const facets = [`collection_id#${collection}`];
    let isClean = true;
    for (let after: string | undefined; ; ) {
      const position = { skip: 0, counted: uncounted, ...(after !== undefined && { after }) };
      const { ids } = await pageOfIds(this.#table, this.#tenant, { facets, position, size: ASSETS_AT_ONCE });
      after = ids.at(-1);
      if (after === undefined) return isClean;
      const assets = await this.#assets.getMany(ids.map(asAssetId));
      for (const batch of batchesOf(assets.map((asset) => this.#departure(asset, collection, now)))) {
        if (!(await this.#isMade(batch))) isClean = false;
      }
    }
  }

  #departure(asset: StoredAsset, collection: string, now: Date): Write[] {
    return asset.collection_id === collection ? this.#assets.moveWrites(asset, null, now) : [];
  }

  /**
   * Changes all assets, and tries again those that another request changed. Finally throws write_conflict with the ids of the
   * rest.
   */
  async #settle(
    collection: string,
    assetIds: readonly AssetId[],
    writesOf: (asset: StoredAsset) => Write[],
  ): Promise<void> {
    const stays: Write = { check: this.#collectionKey(collection), condition: present };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const left = (await this.#known(collection, assetIds)).map(writesOf);
      // After the first attempt, each asset has its own transaction: a conflict on one does not block the others.
      const batches = attempt === 0 ? batchesOf(left, 1) : left.filter(({ length }) => length > 0);
      let isDone = true;
      for (const batch of batches) {
        if (!(await this.#isMade([stays, ...batch]))) isDone = false;
      }
      if (isDone) return;
      await backoff(attempt);
    }
    const left = (await this.#known(collection, assetIds)).filter((asset) => writesOf(asset).length > 0);
    if (left.length > 0) throw unfinished(assetIds, left);
  }

  /** False if the transaction conflicted with other changes and wrote nothing. */
  async #isMade(writes: readonly Write[]): Promise<boolean> {
    try {
      await this.#table.transact(writes);
      return true;
    } catch (error) {
      if (!isCancelled(error)) throw error;
      return false;
    }
  }

  /** Throws if the collection or one of the assets does not exist. */
  async #known(collection: string, assetIds: readonly AssetId[]): Promise<StoredAsset[]> {
    const isThere = (await this.#table.get(this.#collectionKey(collection))) !== null;
    if (!isThere) throw new NotFound('collection', collection);
    const assets = await this.#assets.getMany(assetIds);
    const known = new Set<string>(assets.map(({ asset_id }) => asset_id));
    requireKnown(assetIds, known, { pointer: '/asset_ids', kind: 'asset' });
    return assets;
  }

  #collectionKey(collection: string) {
    return configurationKey(this.#tenant, 'collections', collection);
  }
}

/** Groups writes into transactions, each with room for `room` more writes. Writes of one asset stay together. */
function batchesOf(changes: readonly Write[][], room = 0): Write[][] {
  const batches: Write[][] = [];
  for (const writes of changes.filter(({ length }) => length > 0)) {
    const last = batches.at(-1);
    const fits = last !== undefined && last.length + writes.length <= WRITES_AT_ONCE - room;
    if (fits) last.push(...writes);
    else batches.push([...writes]);
  }
  return batches;
}

function unfinished(assetIds: readonly AssetId[], left: readonly StoredAsset[]): Problem {
  const findings = left.map(({ asset_id }) => ({
    pointer: `/asset_ids/${assetIds.indexOf(asset_id)}`,
    code: 'write_conflict',
    detail: `Other requests kept changing asset ${asset_id}, so it was not moved.`,
  }));
  return new Problem(
    'write_conflict',
    `${left.length} of ${assetIds.length} assets were changed by other requests at the same time. The rest is done. Repeat the call.`,
    { findings, headers: { 'Retry-After': '1' } },
  );
}
