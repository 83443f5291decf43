/**
 * The sound descriptions of an asset, which subtitles show. One that a person deleted stays deleted: its grave keeps the
 * same from being described again.
 */

import { AssetChildren } from '../../platform/records/asset-children.ts';
import { childKey, childPrefix } from '../../platform/table/keys.ts';
import type { TenantTable } from '../../platform/table/tenant-table.ts';
import type { AssetId } from '../../shared/ids.ts';
import type { DescribedSound, SoundDescription } from '../../shared/sound-descriptions.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { soundWord } from './rules/sound-words.ts';

const PREFIX = 'SD';
const GRAVE = 'GONE#SD';

export class SoundDescriptions extends AssetChildren<DescribedSound> {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, tenant: TenantId) {
    super(table, tenant, { prefix: PREFIX, name: 'sound description' });
    this.#table = table;
    this.#tenant = tenant;
  }

  /** All of the asset's, oldest first, in the words of a language where those are ours. @param language BCP 47 tag */
  async listIn(assetId: AssetId, language: string | undefined): Promise<SoundDescription[]> {
    const all = await this.list(assetId);
    return all.map((one) => (one.kind === undefined ? one : { ...one, text: soundWord(one.kind, language) }));
  }

  /** Deletes one for good. */
  async bury(assetId: AssetId, id: string, ifMatch?: string): Promise<void> {
    await this.delete(assetId, id, ifMatch, [{ put: childKey(this.#tenant, assetId, GRAVE, id) }]);
  }

  /** Puts these in place of those that were found before, but for what a person deleted. A repeat changes nothing. */
  async replace(assetId: AssetId, found: readonly DescribedSound[]): Promise<void> {
    const [before, graves] = await Promise.all([this.list(assetId), this.#graves(assetId)]);
    const ids = new Set(found.map(({ description_id }) => description_id));
    for (const { description_id } of before) {
      if (!ids.has(description_id)) {
        await this.#table.delete(childKey(this.#tenant, assetId, PREFIX, description_id));
      }
    }
    const known = new Set(before.map(({ description_id }) => description_id));
    for (const one of found) {
      if (graves.has(one.description_id) || known.has(one.description_id)) continue;
      await this.create(assetId, one.description_id, one);
    }
  }

  async #graves(assetId: AssetId): Promise<ReadonlySet<string>> {
    const { pk } = childKey(this.#tenant, assetId, GRAVE, '');
    const prefix = childPrefix(GRAVE);
    const items = await this.#table.queryAll({ pk, beginsWith: prefix, consistent: true });
    return new Set(items.map(({ sk }) => sk.slice(prefix.length)));
  }
}

export const soundDescriptionsOf = (table: TenantTable, tenant: TenantId) =>
  new SoundDescriptions(table, tenant);
