/** ETags of answers that are made of several stored things. */
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
