/** Index facets. An asset has one for each filter and value that finds the asset. */

/**
 * Bytes that the facets of one filter may take in an asset's item. DynamoDB refuses items above 400 KB, and
 * this item holds the facets of all filters and the outcomes of all translations and voice overs.
 */
export const MAX_LISTED_BYTES = 60_000;

/** Only this many characters of a value are compared, because a key of the table holds 2048 bytes. */
const COMPARED = 255;

/**
 * The form in which values are compared: without case, spaces at the ends and different encodings of accents (Unicode
 * Standard Annex 15). `#` is replaced, because it separates parts of a key.
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

export const facetsOf = (filter: keyof AssetFilters, names: readonly string[]): string[] => [
  ...new Set(listedNames(names).map((name) => facet(filter, name))),
];

/** The bytes of a text in a stored list: its UTF-8 bytes and one more (DynamoDB guide, "item sizes and formats"). */
const bytesOf = (name: string): number => Buffer.byteLength(name) + 1;

export const listedBytes = (facets: readonly string[]): number =>
  facets.reduce((sum, name) => sum + bytesOf(name), 0);

export function withinBounds(facets: readonly string[]): string[] {
  let bytes = 0;
  const end = facets.findIndex((name) => {
    bytes += bytesOf(name);
    return bytes > MAX_LISTED_BYTES;
  });
  return end === -1 ? [...facets] : facets.slice(0, end);
}

/**
 * The values under which a name is listed: the name, and its parts between commas. A comma-separated filter cannot
 * distinguish commas within a name from commas between names.
 */
const listedNames = (names: readonly string[]): string[] =>
  names
    .flatMap((name) => (name.includes(',') ? [name, ...name.split(',')] : [name]))
    .filter((name) => name.trim() !== '');
