/** A tenant's id. Only authentication and a running execution produce one; every key begins with it. */
declare const brand: unique symbol;
export type TenantId = string & { readonly [brand]: 'TenantId' };

/** Characters that may stand in a key segment without escaping. */
const PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

export const isTenantName = (name: string): boolean => PATTERN.test(name);

/** Vouches for a tenant id read from a verified API key or from an execution's own input. */
export function asTenantId(value: string): TenantId {
  if (!isTenantName(value)) throw new TypeError(`Not a tenant id: ${JSON.stringify(value)}`);
  return value as TenantId;
}
