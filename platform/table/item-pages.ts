/** Pages of the items of one partition with a common sort key prefix, oldest first: the children of an asset. */
import type { Total } from '../../shared/cursor.ts';
import { COUNT_LIMIT, type Position, totalOf } from './id-pages.ts';
import type { Key } from './table.ts';
import type { TenantTable } from './tenant-table.ts';

export interface PageOfItems<Stored> extends Total {
  readonly items: readonly Stored[];
  readonly more: boolean;
  readonly last: string | undefined;
}

interface Place {
  readonly pk: string;
  /** The prefix of the sort keys: `CLIP` for `CLIP#{id}`. */
  readonly prefix: string;
}

/** Reads only the items of the page. DynamoDB counts the items before and after the page. */
export async function pageOfItems<Stored>(
  table: TenantTable,
  { pk, prefix }: Place,
  { skip, after, counted }: Position,
  size: number,
): Promise<PageOfItems<Stored & Key>> {
  const range = { pk, beginsWith: `${prefix}#`, consistent: true };
  const begin = after === undefined ? undefined : { pk, sk: `${prefix}#${after}` };
  const passed = skip === 0 ? { count: 0, next: begin } : await countOf(table, range, begin, skip);
  const isPastTheEnd = skip > 0 && passed.next === undefined;
  if (isPastTheEnd) {
    return { items: [], more: false, last: undefined, ...(counted ?? totalOf(passed.count, 0)) };
  }
  const found = await itemsOf<Stored>(table, range, passed.next, size + 1);
  const items = found.slice(0, size);
  const last = items.at(-1);
  const page = { items, more: found.length > size, last: last?.sk.slice(prefix.length + 1) };
  if (counted !== undefined) return { ...page, ...counted };
  const shown = skip + items.length;
  const beyond = page.more
    ? await countOf(table, range, last, Math.max(COUNT_LIMIT + 1 - shown, 1))
    : { count: 0 };
  return { ...page, ...totalOf(shown + beyond.count, shown) };
}

interface Range {
  readonly pk: string;
  readonly beginsWith: string;
  readonly consistent: boolean;
}

async function itemsOf<Stored>(table: TenantTable, range: Range, begin: Key | undefined, limit: number) {
  const items: (Stored & Key)[] = [];
  let after = begin;
  do {
    const found = await table.query<Stored>({ ...range, after, limit: limit - items.length });
    items.push(...found.items);
    after = found.next;
  } while (after !== undefined && items.length < limit);
  return items;
}

/** The number of items after a key, up to `limit`, and the last key if there may be more. */
async function countOf(table: TenantTable, range: Range, begin: Key | undefined, limit: number) {
  let count = 0;
  let next = begin;
  do {
    const found = await table.count({ ...range, after: next, limit: limit - count });
    count += found.count;
    next = found.next;
  } while (next !== undefined && count < limit);
  return { count, next };
}
