/**
 * The assets of a collection. An asset and its index entries change in one transaction, so that they always
 * agree. A hundred assets need up to 300 writes, and a transaction holds 100: see docs/decisions/0023.
 */

import { backoff } from '../../../platform/table/backoff.ts';
import { pageOfIds } from '../../../platform/table/id-pages.ts';
import { configurationKey, present } from '../../../platform/table/keys.ts';
import { isCancelled, type TenantTable, type Write } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { type AssetId, asAssetId } from '../../../shared/ids.ts';
import { NotFound, Problem, UnknownReference, WriteConflict } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';

/** Writes that DynamoDB accepts in one transaction. */
const WRITES_AT_ONCE = 100;
/**
 * Attempts of a change that conflicts with other changes of the same assets, such as the progress of their
 * processing.
 */
const ATTEMPTS = 8;
const ASSETS_AT_ONCE = 30;
/** The length of the list is not needed here. */
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

  /** Moves assets to the collection, out of their current one. */
  add(collection: string, assetIds: readonly AssetId[], now: Date): Promise<void> {
    return this.#settle(collection, assetIds, (asset) =>
      asset.collection_id === collection ? [] : this.#assets.moveWrites(asset, collection, now),
    );
  }

  /** Removes those assets that are in the collection. */
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

  /** One pass over the collection's list. False if another request changed an asset meanwhile. */
  async #sweep(collection: string, now: Date): Promise<boolean> {
    const facets = [`collection_id#${collection}`];
    let isClean = true;
    for (let after: string | undefined; ; ) {
      const position = { skip: 0, counted: uncounted, ...(after !== undefined && { after }) };
      const { ids } = await pageOfIds(this.#table, this.#tenant, facets, position, ASSETS_AT_ONCE);
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
   * Writes until nothing is left to write. Reads assets again that other requests changed. After the last
   * attempt, throws write_conflict with their ids.
   */
  async #settle(
    collection: string,
    assetIds: readonly AssetId[],
    writesOf: (asset: StoredAsset) => Write[],
  ): Promise<void> {
    const stays: Write = { check: this.#collectionKey(collection), condition: present };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const left = (await this.#known(collection, assetIds)).map(writesOf);
      // After the first attempt each asset is changed by itself, so that a conflict on one does not block the others.
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
    const known = new Set(assets.map(({ asset_id }) => asset_id));
    const missing = assetIds.flatMap((id, at) =>
      known.has(id) ? [] : [{ pointer: `/asset_ids/${at}`, kind: 'asset', id }],
    );
    if (missing.length > 0) throw new UnknownReference(missing);
    return assets;
  }

  #collectionKey(collection: string) {
    return configurationKey(this.#tenant, 'collections', collection);
  }
}

/** Groups writes into transactions of maximum size, less `room`. Writes of one asset stay together. */
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

/** The problem that names the assets which were not changed. */
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
