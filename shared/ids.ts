/** Ids of tenants, assets and jobs. The functions convert texts that are not checked by a schema. */
import type { AssetId, JobId } from '../contract/kit/ids.ts';

export type { AssetId, JobId } from '../contract/kit/ids.ts';

export const asAssetId = (id: string): AssetId => id as AssetId;
export const asJobId = (id: string): JobId => id as JobId;

export const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A tenant's id. Only authentication and the input of an execution produce it. Every table key begins with it. */
declare const brand: unique symbol;
export type TenantId = string & { readonly [brand]: 'TenantId' };

/** Characters that need no escaping in a key. */
const PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

export const isTenantName = (name: string): boolean => PATTERN.test(name);

/** Converts a tenant id from a verified API key or from the input of an execution. */
export function asTenantId(value: string): TenantId {
  if (!isTenantName(value)) throw new TypeError(`Not a tenant id: ${JSON.stringify(value)}`);
  return value as TenantId;
}
