/** Binary search in sorted lists. */
import { itemAt } from './checked-access.ts';

/** The index of the first item with `isPast`, or the length. `isPast` must be true for all later items too. */
export function firstIndexWhere<Item>(items: readonly Item[], isPast: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(itemAt(items, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
