/** Versions of stored items. Callers see them only as ETags. */
import { createHash } from 'node:crypto';

/** A part of an ETag that changes with any of the items; empty without items. */
export function tagOf<T extends { readonly version: number }>(
  items: readonly T[],
  idOf: (item: T) => string,
): string {
  if (items.length === 0) return '';
  const text = items.map((item) => `${idOf(item)}:${item.version}`).join('\n');
  return `-${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
}

/** The item without its version, which is the ETag. */
export function shownOf<T extends { readonly version: number }>({
  version: _,
  ...shown
}: T): Omit<T, 'version'> {
  return shown;
}
