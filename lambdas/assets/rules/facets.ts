/** Index facets: the lists that an asset stands in, by filter and value. */

/** How many characters of a value count: a key of the table holds 2048 bytes. */
const COMPARED = 255;

/**
 * Values compare without regard to case, to outer space and to how accents are encoded (Unicode Standard Annex 15); `#`
 * separates parts of a key.
 */
const folded = (text: string) =>
  text
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('#', '%23')
    .slice(0, COMPARED)
    .toWellFormed();

export interface AssetFilters {
  readonly collection_id?: string | undefined;
  readonly entities?: string | undefined;
  readonly sentiment?: string | undefined;
  readonly classification?: string | undefined;
  readonly speakers?: string | undefined;
  readonly language_id?: string | undefined;
}

export const facet = (filter: keyof AssetFilters, value: string): string => `${filter}#${folded(value)}`;

/**
 * The values under which something is listed that the comma-separated filters ask for: its name, and the parts of one that has
 * commas itself, since the filter cannot tell them from those between names.
 */
export const listedNames = (names: readonly string[]): string[] =>
  names
    .flatMap((name) => (name.includes(',') ? [name, ...name.split(',')] : [name]))
    .filter((name) => name.trim() !== '');
