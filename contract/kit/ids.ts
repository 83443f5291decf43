/** A separate type for each kind of id. All ids are UUIDs, but the compiler rejects an id of another kind. */
declare const brand: unique symbol;
export type AssetId = string & { readonly [brand]: 'AssetId' };
export type JobId = string & { readonly [brand]: 'JobId' };
