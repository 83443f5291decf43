/** Returns values that exist, although their types allow undefined. Throws a clear error for a missing value. */
export function itemAt<Item>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No item ${index} in a list of ${list.length}`);
  return item;
}

/** @throws RangeError if the list is empty */
export const lastOf = <Item>(list: ArrayLike<Item>): Item => itemAt(list, list.length - 1);

export function defined<Value>(value: Value | null | undefined): Value {
  if (value === undefined || value === null) throw new TypeError('A required value is missing');
  return value;
}
