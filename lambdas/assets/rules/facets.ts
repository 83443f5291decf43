/** Index facets: the lists that an asset stands in, by filter and value. */

/**
 * How many bytes the lists of one filter take in an asset's item: DynamoDB refuses items above 400 KB, and this one has the lists of
 * all filters, and what became of each of its translations and voice overs.
 */
export const MAX_LISTED_BYTES = 60_000;

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

/** The lists of the assets that have these names, each once. */
export const facetsOf = (filter: keyof AssetFilters, names: readonly string[]): string[] => [
  ...new Set(listedNames(names).map((name) => facet(filter, name))),
];

/** Amazon DynamoDB Developer Guide, "DynamoDB item sizes and formats": a text takes its UTF-8, and one byte more in a list. */
const bytesOf = (name: string): number => Buffer.byteLength(name) + 1;

export const listedBytes = (facets: readonly string[]): number =>
  facets.reduce((sum, name) => sum + bytesOf(name), 0);

/** The first of the lists, as many as an asset may stand in. */
export function withinBounds(facets: readonly string[]): string[] {
  let bytes = 0;
  const end = facets.findIndex((name) => {
    bytes += bytesOf(name);
    return bytes > MAX_LISTED_BYTES;
  });
  return end === -1 ? [...facets] : facets.slice(0, end);
}

/**
 * The values under which something is listed that the comma-separated filters ask for: its name, and the parts of one that has
 * commas itself, since the filter cannot tell them from those between names.
 */
const listedNames = (names: readonly string[]): string[] =>
  names
    .flatMap((name) => (name.includes(',') ? [name, ...name.split(',')] : [name]))
    .filter((name) => name.trim() !== '');
