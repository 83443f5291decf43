/** Ids of assets and jobs. The functions convert text that no schema checks: new ids, and parts of names. */
import type { AssetId, JobId } from '../contract/kit/ids.ts';

export type { AssetId, JobId } from '../contract/kit/ids.ts';

export const asAssetId = (id: string): AssetId => id as AssetId;
export const asJobId = (id: string): JobId => id as JobId;

export const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
