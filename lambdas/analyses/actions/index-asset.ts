/** Indexes an asset under the findings in its texts, so that the asset filters find it. */
import type { AssetId } from '../../../shared/ids.ts';
import type { Assets } from '../../assets/records/assets.ts';
import type { AssetFilters } from '../../assets/rules/facets.ts';
import { codesOf } from '../rules/classification.ts';
import { type MadeMetadata, onlyTexts } from '../rules/metadata.ts';

export async function indexAsset(
  assetId: AssetId,
  { head, details }: Pick<MadeMetadata, 'head' | 'details'>,
  now: Date,
  assets: Pick<Assets, 'relist'>,
): Promise<void> {
  const { sentiment, classifications } = head;
  const found: Partial<Record<keyof AssetFilters, readonly string[]>> = {
    entities: details.entities.map(({ text }) => text),
    sentiment: sentiment === null ? [] : [sentiment.label],
    classification: classifications.flatMap(({ code, name }) => [...codesOf(code), name]),
  };
  for (const [filter, values] of Object.entries(found) as [keyof AssetFilters, string[]][])
    await assets.relist(assetId, filter, values, now);
}

export const clearAssetIndex = (assetId: AssetId, now: Date, assets: Pick<Assets, 'relist'>): Promise<void> =>
  indexAsset(assetId, onlyTexts([]), now, assets);
