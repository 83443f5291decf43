/** A separate type for each kind of id. All are UUIDs, but the compiler does not confuse the kinds. */
declare const brand: unique symbol;
export type AssetId = string & { readonly [brand]: 'AssetId' };
export type JobId = string & { readonly [brand]: 'JobId' };
