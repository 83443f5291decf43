/** Index facets: the lists that an asset stands in, by filter and value. */

/** How many characters of a value count: a key of the table holds 2048 bytes. */
const COMPARED = 255;

/** Values compare without regard to case and outer space; `#` separates parts of a key. */
const folded = (text: string) => text.trim().toLowerCase().replaceAll('#', '%23').slice(0, COMPARED);

export interface AssetFilters {
  readonly collection_id?: string | undefined;
  readonly entities?: string | undefined;
  readonly sentiment?: string | undefined;
  readonly classification?: string | undefined;
  readonly speakers?: string | undefined;
  readonly language_id?: string | undefined;
}

export const facet = (filter: keyof AssetFilters, value: string): string => `${filter}#${folded(value)}`;
