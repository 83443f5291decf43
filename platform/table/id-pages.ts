/**
 * Pages of ids, newest first, from partitions of index entries that are sorted by id (UUIDv7, hence by time). Several
 * partitions are intersected while they are read. Nothing is scanned.
 */
import { itemAt, lastOf } from '../../shared/checked-access.ts';
import type { Total } from '../../shared/cursor.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { type IdRange, type IdSource, lower, predecessor } from './id-ranges.ts';
import { intersection, PartitionStream, unionOf } from './id-streams.ts';
import { facetPartition } from './keys.ts';
import type { TenantTable } from './tenant-table.ts';

/**
 * The highest counted total. Beyond it, `total_is_lower_bound` is set. With combined filters, at most this many
 * entries of one filter are read only for the count.
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
  /** The last id of the page before. */
  readonly after?: string;
  /** The total of the page before, so that this page need not count. */
  readonly counted?: Total;
}

/** Ids from `first` to `last`, both included; unbounded if absent. */
export interface IdEnds {
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** One page of the ids that are in all of these facets. */
export const pageOfIds = (
  table: TenantTable,
  tenant: TenantId,
  facets: readonly string[],
  position: Position,
  size: number,
): Promise<PageOfIds> =>
  pageOfPartitions(
    table,
    facets.map((name) => [facetPartition(tenant, name)]),
    position,
    size,
  );

/** One page of the ids that are in at least one partition of each group. */
export function pageOfPartitions(
  table: IdSource,
  groups: readonly (readonly string[])[],
  position: Position,
  size: number,
  { first, last }: IdEnds = {},
): Promise<PageOfIds> {
  const { after } = position;
  const ends = { from: first, upTo: lower(last, after === undefined ? undefined : predecessor(after)) };
  const pks = groups.flat();
  return pks.length === 1
    ? pageOfOne(table, { pk: itemAt(pks, 0), ...ends }, position, size)
    : pageOfSeveral(table, groups, ends, position, size);
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
  groups: readonly (readonly string[])[],
  ends: Omit<Range, 'pk'>,
  { skip, counted }: Position,
  size: number,
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

/** @param shown entries up to the end of the page, which always count */
export function totalOf(seen: number, shown: number): Total {
  const total = Math.min(seen, Math.max(COUNT_LIMIT, shown));
  return { total, total_is_lower_bound: seen > total };
}

async function idsOf(table: IdSource, range: Range, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = await table.ids({ ...range, upTo: next ?? range.upTo, limit: limit - ids.length });
    ids.push(...page.ids);
    next = page.next;
  } while (next !== undefined && ids.length < limit);
  return ids;
}

/** The number of ids of a range, up to `limit`, and where the range continues. */
async function countOf(table: IdSource, range: Range, limit: number) {
  let count = 0;
  let next: string | undefined;
  do {
    const page = await table.countIds({ ...range, upTo: next ?? range.upTo, limit: limit - count });
    count += page.count;
    next = page.next;
  } while (next !== undefined && count < limit);
  return { count, next };
}
