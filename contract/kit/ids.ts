/** Ids as types of their own. Each is a UUID, and the compiler does not confuse them. */
declare const brand: unique symbol;
export type AssetId = string & { readonly [brand]: 'AssetId' };
export type JobId = string & { readonly [brand]: 'JobId' };
