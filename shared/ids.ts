/**
 * Ids of assets and jobs. Validated requests, stored items and the inputs of state machines have these types. The
 * functions here convert other text: the id of a new resource, and ids within index entries and names.
 */
import type { AssetId, JobId } from '../contract/kit/ids.ts';

export type { AssetId, JobId } from '../contract/kit/ids.ts';

export const asAssetId = (id: string): AssetId => id as AssetId;
export const asJobId = (id: string): JobId => id as JobId;

export const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
