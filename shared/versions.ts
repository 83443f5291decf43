/** Versions of stored items. Callers see them only as ETags. */
import { createHash } from 'node:crypto';

/** Returns a part of an ETag that changes with each change of an item. Empty if there are no items. */
export function tagOf<T extends { readonly version: number }>(
  items: readonly T[],
  idOf: (item: T) => string,
): string {
  if (items.length === 0) return '';
  const text = items.map((item) => `${idOf(item)}:${item.version}`).join('\n');
  return `-${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
}

export function firstVersion(now: Date) {
  const at = now.toISOString();
  return { version: 1, created_at: at, updated_at: at };
}

/** Returns the item without its version. Callers get the version as ETag. */
export function shownOf<T extends { readonly version: number }>({
  version: _,
  ...shown
}: T): Omit<T, 'version'> {
  return shown;
}
