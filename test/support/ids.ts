/** New ids, in the form of the ids that requests create. */
import { uuidv7 } from 'uuidv7';
import { type AssetId, asAssetId, asJobId, type JobId } from '../../shared/ids.ts';

export const newAssetId = (): AssetId => asAssetId(uuidv7());
export const newJobId = (): JobId => asJobId(uuidv7());
