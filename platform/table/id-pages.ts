/**
 * Pages of ids, newest first, from partitions of index entries that are sorted by id (UUIDv7, hence by time). Several
 * partitions are intersected while they are read. Nothing is scanned. The module also makes pages of the children of an
 * asset, oldest first.
 */
import { itemAt, lastOf } from '../../shared/checked-access.ts';
import type { Total } from '../../shared/cursor.ts';
import type { TenantId } from '../../shared/ids.ts';
import { type IdRange, type IdSource, lower, predecessor } from './id-ranges.ts';
import { intersection, PartitionStream, unionOf } from './id-streams.ts';
import { facetPartition } from './keys.ts';
import type { Key } from './table.ts';
import type { TenantTable } from './tenant-table.ts';

/**
 * The highest counted total. Beyond it, `total_is_lower_bound` is set. With combined filters, the count reads at most
 * this many entries of one filter.
 */
export const COUNT_LIMIT = 10_000;

/** The number of ids to read after the page. Most lists end there, and need no second request for their total. */
const LOOK_AHEAD = 128;

export interface PageOfIds extends Total {
  readonly ids: readonly string[];
  readonly more: boolean;
}

export interface Position {
  /** The number of entries to skip, from the newest. */
  readonly skip: number;
  readonly after?: string;
  /** The total of the page before, so that this page need not count. */
  readonly counted?: Total;
}

/** Ids from `first` to `last`, both included; unbounded if absent. */
export interface IdEnds {
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

export const pageOfIds = (
  table: TenantTable,
  tenant: TenantId,
  {
    facets,
    position,
    size,
  }: { readonly facets: readonly string[]; readonly position: Position; readonly size: number },
): Promise<PageOfIds> =>
  pageOfPartitions(table, { groups: facets.map((name) => [facetPartition(tenant, name)]), position, size });

/** One page of the ids that are in at least one partition of each group. */
export function pageOfPartitions(
  table: IdSource,
  {
    groups,
    position,
    size,
    ends: { first, last } = {},
  }: {
    readonly groups: readonly (readonly string[])[];
    readonly position: Position;
    readonly size: number;
    readonly ends?: IdEnds | undefined;
  },
): Promise<PageOfIds> {
  const { after } = position;
  const ends = { from: first, upTo: lower(last, after === undefined ? undefined : predecessor(after)) };
  const pks = groups.flat();
  return pks.length === 1
    ? pageOfOne(table, { pk: itemAt(pks, 0), ...ends }, position, size)
    : pageOfSeveral(table, { groups, ends, position, size });
}

type Range = Omit<IdRange, 'limit'>;

/** Reads only the ids of the page and some after it. DynamoDB counts the other ids of the total. */
async function pageOfOne(
  table: IdSource,
  range: Range,
  { skip, counted }: Position,
  size: number,
): Promise<PageOfIds> {
  const passed = skip === 0 ? { count: 0, next: range.upTo } : await countOf(table, range, skip);
  const isPastTheEnd = skip > 0 && passed.next === undefined;
  if (isPastTheEnd) return { ids: [], more: false, ...(counted ?? totalOf(passed.count, 0)) };
  const rest = { ...range, upTo: passed.next };
  const ahead = counted === undefined ? Math.max(size + 1, LOOK_AHEAD) : size + 1;
  const ids = await idsOf(table, rest, ahead);
  const shown = ids.slice(0, size);
  const page = { ids: shown, more: ids.length > size };
  if (counted !== undefined) return { ...page, ...counted };
  const toCount = COUNT_LIMIT + 1 - skip - ids.length;
  const isTheEnd = ids.length < ahead;
  const beyond =
    isTheEnd || toCount <= 0
      ? { count: 0 }
      : await countOf(table, { ...rest, upTo: predecessor(lastOf(ids)) }, toCount);
  return { ...page, ...totalOf(skip + ids.length + beyond.count, skip + shown.length) };
}

async function pageOfSeveral(
  table: IdSource,
  {
    groups,
    ends,
    position: { skip, counted },
    size,
  }: {
    readonly groups: readonly (readonly string[])[];
    readonly ends: Omit<Range, 'pk'>;
    readonly position: Position;
    readonly size: number;
  },
): Promise<PageOfIds> {
  const streams = groups.map((pks) => unionOf(pks.map((pk) => new PartitionStream(table, { pk, ...ends }))));
  const ids: string[] = [];
  let seen = 0;
  let isCutShort = false;
  for await (const id of intersection(streams, ends.upTo)) {
    seen += 1;
    if (seen > skip && ids.length < size) ids.push(id);
    const pageIsFull = seen > skip + size;
    const isCounted = counted !== undefined || streams.some(({ passed }) => passed >= COUNT_LIMIT);
    isCutShort = pageIsFull && isCounted;
    if (isCutShort) break;
  }
  const total = totalOf(seen, skip + ids.length);
  return {
    ids,
    more: seen > skip + ids.length,
    ...(counted ?? { ...total, total_is_lower_bound: total.total_is_lower_bound || isCutShort }),
  };
}

/** @param shown the number of entries up to the end of the page. The total is not lower. */
export function totalOf(seen: number, shown: number): Total {
  const total = Math.min(seen, Math.max(COUNT_LIMIT, shown));
  return { total, total_is_lower_bound: seen > total };
}

async function idsOf(table: IdSource, range: Range, limit: number): Promise<string[]> {
  const ids: string[] = [];
  await readUpTo(limit, range.upTo, async (upTo, left) => {
    const page = await table.ids({ ...range, upTo, limit: left });
    ids.push(...page.ids);
    return { count: page.ids.length, next: page.next };
  });
  return ids;
}

const countOf = (table: IdSource, range: Range, limit: number) =>
  readUpTo(limit, range.upTo, (upTo, left) => table.countIds({ ...range, upTo, limit: left }));

/** Reads from `begin` until `limit` entries are read or none is left. Returns their number, and where to continue. */
async function readUpTo<Place>(
  limit: number,
  begin: Place | undefined,
  read: (from: Place | undefined, left: number) => Promise<{ count: number; next: Place | undefined }>,
) {
  let count = 0;
  let next = begin;
  do {
    const page = await read(next, limit - count);
    count += page.count;
    next = page.next;
  } while (next !== undefined && count < limit);
  return { count, next };
}

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
  const passed = skip === 0 ? { count: 0, next: begin } : await countItems(table, range, begin, skip);
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
    ? await countItems(table, range, last, Math.max(COUNT_LIMIT + 1 - shown, 1))
    : { count: 0 };
  return { ...page, ...totalOf(shown + beyond.count, shown) };
}

interface ItemRange {
  readonly pk: string;
  readonly beginsWith: string;
  readonly consistent: boolean;
}

async function itemsOf<Stored>(table: TenantTable, range: ItemRange, begin: Key | undefined, limit: number) {
  const items: (Stored & Key)[] = [];
  await readUpTo(limit, begin, async (after, left) => {
    const found = await table.query<Stored>({ ...range, after, limit: left });
    items.push(...found.items);
    return { count: found.items.length, next: found.next };
  });
  return items;
}

/** The number of items after a key, up to `limit`, and the last key if there may be more. */
const countItems = (table: TenantTable, range: ItemRange, begin: Key | undefined, limit: number) =>
  readUpTo(limit, begin, (after, left) => table.count({ ...range, after, limit: left }));
