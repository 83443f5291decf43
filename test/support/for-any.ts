import fc from 'fast-check';

/** Expects that a property holds for any values. */
export function forAny<T extends [unknown, ...unknown[]]>(
  values: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): void {
  fc.assert(fc.property(fc.tuple<T>(...values), (all) => check(...all)));
}
