/** When the picture of an asset cuts, as its pictures were looked at. */

import { analysisList, type ListPlaces } from '../../../../platform/records/analysis-lists.ts';
import type { AssetId } from '../../../../shared/ids.ts';

interface Shot {
  readonly start_ms: number;
  readonly transition: 'cut' | 'dissolve' | 'fade' | 'start';
}

/**
 * The times of hard cuts, ms, in order: what dissolves or fades has no frame at which it changes. Null where nobody looked, or the media
 * have no picture.
 */
export async function cutsOf(assetId: AssetId, places: ListPlaces): Promise<number[] | null> {
  const shots = await analysisList<Shot>(assetId, 'camera_shoots', places);
  return shots?.filter(({ transition }) => transition === 'cut').map(({ start_ms }) => start_ms) ?? null;
}
