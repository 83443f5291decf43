/** Ids that the compiler tells apart: each a UUID, and none takes the place of another. */
declare const brand: unique symbol;
export type AssetId = string & { readonly [brand]: 'AssetId' };
export type JobId = string & { readonly [brand]: 'JobId' };
