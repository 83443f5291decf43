/** Index facets: the lists that an asset stands in, by filter and value. */

/** Values compare without regard to case and outer space; `#` separates parts of a key. */
const folded = (text: string) => text.trim().toLowerCase().replaceAll('#', '%23');

export interface AssetFilters {
  readonly collection_id?: string | undefined;
  readonly entities?: string | undefined;
  readonly sentiment?: string | undefined;
  readonly classification?: string | undefined;
  readonly speakers?: string | undefined;
  readonly language_id?: string | undefined;
}

export const facet = (filter: keyof AssetFilters, value: string): string => `${filter}#${folded(value)}`;

const listFilters = new Set<keyof AssetFilters>(['entities', 'speakers']);

/** The facets that all must hold; `all` alone where nothing is filtered. Sorted, without repeats. */
export function facetsOf(filters: AssetFilters): string[] {
  const names = [
    'collection_id',
    'entities',
    'sentiment',
    'classification',
    'speakers',
    'language_id',
  ] as const;
  const facets = names.flatMap((name) => {
    const given = filters[name];
    if (given === undefined) return [];
    const values = listFilters.has(name) ? given.split(',') : [given];
    return values.filter((value) => value.trim() !== '').map((value) => facet(name, value));
  });
  return facets.length === 0 ? ['all'] : [...new Set(facets)].sort();
}
