/**
 * The sound descriptions of an asset. When a person deletes one, a marker (`GONE#SD`) stays, so that analysis does not
 * describe the same sound again.
 */
import { AssetChildren } from '../../platform/records/asset-children.ts';
import { childKey, childPrefix } from '../../platform/table/keys.ts';
import type { TenantTable } from '../../platform/table/tenant-table.ts';
import type { AssetId, TenantId } from '../../shared/ids.ts';
import type { DescribedSound, SoundDescription } from '../../shared/sound-descriptions.ts';
import { soundWord } from './rules/sound-words.ts';

const PREFIX = 'SD';
const DELETED = 'GONE#SD';

export class SoundDescriptions extends AssetChildren<DescribedSound> {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, tenant: TenantId) {
    super(table, tenant, { prefix: PREFIX, name: 'sound description' });
    this.#table = table;
    this.#tenant = tenant;
  }

  /** The descriptions of an asset, oldest first. Sounds of a known kind are described in the language, a BCP 47 tag. */
  async listIn(assetId: AssetId, language: string | undefined): Promise<SoundDescription[]> {
    const all = await this.list(assetId);
    return all.map((one) => (one.kind === undefined ? one : { ...one, text: soundWord(one.kind, language) }));
  }

  /** Deletes a description and writes a marker, so that analysis does not add the description again. */
  async deleteForGood(assetId: AssetId, id: string, ifMatch?: string): Promise<void> {
    await this.delete(assetId, id, ifMatch, [{ put: childKey(this.#tenant, assetId, DELETED, id) }]);
  }

  /** Replaces the descriptions of the last analysis, without those that a person deleted. A repeat changes nothing. */
  async replace(assetId: AssetId, found: readonly DescribedSound[]): Promise<void> {
    const [before, deleted] = await Promise.all([this.list(assetId), this.#deleted(assetId)]);
    const ids = new Set(found.map(({ description_id }) => description_id));
    for (const { description_id } of before) {
      if (!ids.has(description_id)) {
        await this.#table.delete(childKey(this.#tenant, assetId, PREFIX, description_id));
      }
    }
    const known = new Set(before.map(({ description_id }) => description_id));
    for (const one of found) {
      if (deleted.has(one.description_id) || known.has(one.description_id)) continue;
      await this.create(assetId, one.description_id, one);
    }
  }

  async #deleted(assetId: AssetId): Promise<ReadonlySet<string>> {
    const { pk } = childKey(this.#tenant, assetId, DELETED, '');
    const prefix = childPrefix(DELETED);
    const items = await this.#table.queryAll({ pk, beginsWith: prefix, consistent: true });
    return new Set(items.map(({ sk }) => sk.slice(prefix.length)));
  }
}

export const soundDescriptionsOf = (table: TenantTable, tenant: TenantId) =>
  new SoundDescriptions(table, tenant);
