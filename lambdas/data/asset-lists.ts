/**
 * Pages of assets, newest first. Each facet is one partition of index entries sorted by asset id (UUIDv7, hence
 * by time); several facets are intersected as they stream. Nothing is scanned and only the page's assets are read.
 */
import type { Plan } from '../domain/filters.ts';
import type { TenantId } from '../domain/tenant.ts';
import { facetPartition } from './keys.ts';
import type { Key, QueryInput, TenantTable } from './table.ts';

/** Totals are counted up to here; beyond it `total_is_lower_bound` is set. */
export const COUNT_LIMIT = 10_000;

export interface PageOfIds {
  readonly ids: readonly string[];
  readonly total: number;
  readonly total_is_lower_bound: boolean;
  readonly more: boolean;
}

export interface Position {
  /** Entries to pass over from the newest. */
  readonly skip: number;
  /** Or the id that the page before ended with, and the total counted then. */
  readonly after?: string;
  readonly total?: number;
}

/** What streams read from: a tenant's table, or the admin index. */
export interface Queryable {
  query(input: QueryInput): Promise<{ items: readonly Key[]; next: Key | undefined }>;
}

/** Ids from `first` to `last`, both included; no end where absent. */
export interface IdRange {
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** One page of the assets that stand under all of these facets. */
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

/** One page of the assets that meet a plan. */
export const pageOfPlan = (
  table: TenantTable,
  tenant: TenantId,
  { groups, ...range }: Plan,
  position: Position,
  size: number,
): Promise<PageOfIds> =>
  pageOfPartitions(
    table,
    groups.map((facets) => facets.map((name) => facetPartition(tenant, name))),
    position,
    size,
    range,
  );

/** One page of the ids that stand in any partition of each group. */
export async function pageOfPartitions(
  table: Queryable,
  groups: readonly (readonly string[])[],
  position: Position,
  size: number,
  range: IdRange = {},
): Promise<PageOfIds> {
  const start = lower(range.last, position.after === undefined ? undefined : predecessor(position.after));
  const streams = groups.map((pks) => unionOf(pks.map((pk) => new FacetStream(table, pk, start))));
  const ids: string[] = [];
  let seen = 0;
  const counted = position.total;
  for await (const id of intersection(streams, start)) {
    if (range.first !== undefined && id < range.first) break;
    seen += 1;
    if (seen > position.skip && ids.length < size) ids.push(id);
    const pageIsFull = seen > position.skip + size;
    if (pageIsFull && (counted !== undefined || seen > COUNT_LIMIT)) break;
  }
  const total = Math.min(counted ?? seen, Math.max(COUNT_LIMIT, position.skip + ids.length));
  return {
    ids,
    total,
    total_is_lower_bound: (counted ?? seen) > total || (counted !== undefined && counted >= COUNT_LIMIT),
    more: seen > position.skip + ids.length,
  };
}

interface IdStream {
  /** The greatest id that is not above `ceiling`; undefined at the end. */
  seek(ceiling: string | undefined): Promise<string | undefined>;
}

/** The ids of several streams, each once. */
function unionOf(streams: readonly IdStream[]): IdStream {
  if (streams.length === 1) return streams[0]!;
  return {
    seek: async (ceiling) => {
      const found = await Promise.all(streams.map((stream) => stream.seek(ceiling)));
      return found.reduce((best, id) => (best === undefined || (id !== undefined && id > best) ? id : best));
    },
  };
}

/** The ids of one facet in falling order, read a page of the index at a time. */
class FacetStream implements IdStream {
  readonly #table: Queryable;
  readonly #pk: string;
  #buffer: string[] = [];
  #next = 0;
  #from: string | undefined;
  #exhausted = false;

  constructor(table: Queryable, pk: string, from: string | undefined) {
    this.#table = table;
    this.#pk = pk;
    this.#from = from;
  }

  async seek(ceiling: string | undefined): Promise<string | undefined> {
    for (;;) {
      while (this.#next < this.#buffer.length) {
        const id = this.#buffer[this.#next]!;
        if (ceiling === undefined || id <= ceiling) return id;
        this.#next += 1;
      }
      if (this.#exhausted) return undefined;
      await this.#read(lower(this.#from, ceiling));
    }
  }

  async #read(upTo: string | undefined): Promise<void> {
    const { items, next } = await this.#table.query({
      pk: this.#pk,
      newestFirst: true,
      only: [],
      ...(upTo !== undefined && { upTo }),
    });
    this.#buffer = items.map((item) => item.sk);
    this.#next = 0;
    this.#exhausted = next === undefined;
    this.#from = next === undefined ? undefined : predecessor(next.sk);
  }
}

/** Ids that stand in every stream. */
async function* intersection(streams: readonly IdStream[], from: string | undefined): AsyncGenerator<string> {
  let ceiling = from;
  for (;;) {
    const candidate = await agreed(streams, ceiling);
    if (candidate === undefined) return;
    yield candidate;
    ceiling = predecessor(candidate);
  }
}

/** Lowers the ceiling from stream to stream until all of them hold it. */
async function agreed(streams: readonly IdStream[], from: string | undefined): Promise<string | undefined> {
  let ceiling = from;
  for (let holding = 0, at = 0; holding < streams.length; at = (at + 1) % streams.length) {
    const id = await streams[at]!.seek(ceiling);
    if (id === undefined) return undefined;
    holding = id === ceiling ? holding + 1 : 1;
    ceiling = id;
  }
  return ceiling;
}

const lower = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || a < b ? a : b;

/** The greatest text below an id among ids of equal length: the last character, one less. */
const predecessor = (id: string) =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;
