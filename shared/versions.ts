/** Versions of stored things: not shown, but told as ETags. */
import { createHash } from 'node:crypto';

/** A part of an ETag that changes with whichever of the items changes; empty where there are none. */
export function tagOf<T extends { readonly version: number }>(
  items: readonly T[],
  idOf: (item: T) => string,
): string {
  if (items.length === 0) return '';
  const text = items.map((item) => `${idOf(item)}:${item.version}`).join('\n');
  return `-${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
}

/** What callers see: all but the version, which is the ETag. */
export function shownOf<T extends { readonly version: number }>({
  version: _,
  ...shown
}: T): Omit<T, 'version'> {
  return shown;
}
