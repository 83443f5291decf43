/**
 * Pairs each item with at most one earlier item, the highest score first. Pairs with a score of 0 or less do not match.
 * Returns the index of the earlier item by the index of the item.
 */
export function matchPairs<Item, Earlier>(
  items: readonly Item[],
  earlier: readonly Earlier[],
  scoreOf: (item: Item, before: Earlier) => number,
): Map<number, number> {
  const pairs = items.flatMap((item, at) =>
    earlier.map((before, from) => ({ at, from, score: scoreOf(item, before) })),
  );
  const taken = new Set<number>();
  const found = new Map<number, number>();
  for (const { at, from, score } of pairs.toSorted((one, other) => other.score - one.score)) {
    if (score <= 0 || found.has(at) || taken.has(from)) continue;
    found.set(at, from);
    taken.add(from);
  }
  return found;
}
