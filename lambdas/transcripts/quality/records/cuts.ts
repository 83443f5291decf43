/** The times of cuts in the media. */

import { analysisList, type ListPlaces } from '../../../../platform/records/analysis-lists.ts';
import type { AssetId } from '../../../../shared/ids.ts';

interface Shot {
  readonly start_ms: number;
  readonly transition: 'cut' | 'dissolve' | 'fade' | 'start';
}

/**
 * The times of hard cuts, ms, in order. Dissolves and fades are not included, because they do not happen at a single
 * frame. Null if the pictures were not analyzed, or the media has no pictures.
 */
export async function cutsOf(assetId: AssetId, places: ListPlaces): Promise<number[] | null> {
  const shots = await analysisList<Shot>(assetId, 'camera_shoots', places);
  return shots?.filter(({ transition }) => transition === 'cut').map(({ start_ms }) => start_ms) ?? null;
}
