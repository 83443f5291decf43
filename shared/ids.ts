/**
 * Ids of assets and jobs. Validated requests, stored items and the inputs of state machines carry their types. Other
 * text is vouched for here: the id of a new resource, and what is read out of an index or a name.
 */
import type { AssetId, JobId } from '../contract/kit/ids.ts';

export type { AssetId, JobId } from '../contract/kit/ids.ts';

export const asAssetId = (id: string): AssetId => id as AssetId;
export const asJobId = (id: string): JobId => id as JobId;

export const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
