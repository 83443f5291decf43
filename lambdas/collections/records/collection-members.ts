/**
 * Which assets stand in a collection: each with its list entries in one transaction, so that the two always agree.
 * A hundred assets are up to 300 writes and a transaction holds 100: see docs/decisions/0023.
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

/** How many writes DynamoDB takes in one transaction. */
const WRITES_AT_ONCE = 100;
/**
 * How often a change is tried that meets other changes of the same assets, such as the progress of their
 * processing.
 */
const ATTEMPTS = 8;
const ASSETS_AT_ONCE = 30;
/** How long the list is does not matter here. */
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

  /** Puts assets into the collection, out of the one in which they stand. */
  add(collection: string, assetIds: readonly AssetId[], now: Date): Promise<void> {
    return this.#settle(collection, assetIds, (asset) =>
      asset.collection_id === collection ? [] : this.#assets.moveWrites(asset, collection, now),
    );
  }

  /** Takes out of the collection those assets that stand in it. */
  remove(collection: string, assetIds: readonly AssetId[], now: Date): Promise<void> {
    return this.#settle(collection, assetIds, (asset) => this.#departure(asset, collection, now));
  }

  /** Takes all assets out of a collection that was deleted. One that is still there keeps its assets. */
  async removeAll(collection: string, now: Date): Promise<void> {
    const isThere = (await this.#table.get(this.#collectionKey(collection))) !== null;
    if (isThere) return;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await this.#sweep(collection, now)) return;
      await backoff(attempt);
    }
    throw new WriteConflict('collection', collection);
  }

  /** One pass over the collection's list. False where an asset was changed by others meanwhile. */
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
   * Writes until nothing is left to write. Assets that others change meanwhile are read again; where that does not
   * end, throws write_conflict, which names them.
   */
  async #settle(
    collection: string,
    assetIds: readonly AssetId[],
    writesOf: (asset: StoredAsset) => Write[],
  ): Promise<void> {
    const stays: Write = { check: this.#collectionKey(collection), condition: present };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const left = (await this.#known(collection, assetIds)).map(writesOf);
      // After the first time each asset is changed by itself, so that one that others keep changing holds up
      // none.
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

  /** False where the transaction met other changes, and wrote nothing. */
  async #isMade(writes: readonly Write[]): Promise<boolean> {
    try {
      await this.#table.transact(writes);
      return true;
    } catch (error) {
      if (!isCancelled(error)) throw error;
      return false;
    }
  }

  /** Throws where the collection or one of the assets does not exist. */
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

/** Transactions as large as they may be, with room for some more writes; what belongs to one asset stays together. */
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

/** Tells exactly what of the call was not done. */
function unfinished(assetIds: readonly AssetId[], left: readonly StoredAsset[]): Problem {
  const findings = left.map(({ asset_id }) => ({
    pointer: `/asset_ids/${assetIds.indexOf(asset_id)}`,
    code: 'write_conflict',
    detail: `Others kept changing asset ${asset_id}: it stays where it was.`,
  }));
  return new Problem(
    'write_conflict',
    `${left.length} of ${assetIds.length} assets were changed by others at the same time; the rest is done. Repeat the call.`,
    { findings, headers: { 'Retry-After': '1' } },
  );
}
