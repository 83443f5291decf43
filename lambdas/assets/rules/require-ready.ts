/** What only an asset that was processed can be used for. */
import type { StoredAsset } from '../../../shared/assets.ts';
import { InvalidState } from '../../../shared/problems.ts';

/** The asset, if it is ready; throws invalid_state otherwise. */
export function requireReady(asset: StoredAsset): StoredAsset {
  if (asset.status === 'ready') return asset;
  throw new InvalidState(`The asset is ${asset.status}, not ready.`);
}
