/** Merges neighbors. `join` returns the merged item for two neighbors, or null if they stay separate. */
export function mergeNeighbors<Item>(
  items: Iterable<Item>,
  join: (last: Item, next: Item) => Item | null,
): Item[] {
  const merged: Item[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const joined = last === undefined ? null : join(last, item);
    if (joined === null) merged.push(item);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}
