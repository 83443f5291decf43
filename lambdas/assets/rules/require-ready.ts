/** Guards operations that need a processed asset. */
import type { StoredAsset } from '../../../shared/assets.ts';
import { InvalidState } from '../../../shared/problems.ts';

export function requireReady(asset: StoredAsset): StoredAsset {
  if (asset.status === 'ready') return asset;
  throw new InvalidState(`The asset is ${asset.status}, not ready.`);
}
