/** Responses that many operations share, and pages of lists: by number or by cursor, with Link headers (RFC 8288). */
import {
  readCursor,
  readPlaceCursor,
  type Total,
  writeCursor,
  writePlaceCursor,
} from '../../shared/cursor.ts';
import { isTerminal, type JobStatus } from '../../shared/jobs.ts';
import type { PageOfIds, PageOfItems, Position } from '../table/id-pages.ts';

/** 201 with the address and version of the new resource. */
export const created = <Body>(body: Body, location: string, etag: string) => ({
  status: 201 as const,
  body,
  etag,
  headers: { Location: location },
});

/** 202 with the address of the job. `retryAfter` in seconds. */
export const accepted = <Body>(body: Body, location: string, retryAfter = 1) => ({
  status: 202 as const,
  body,
  headers: { Location: location, 'Retry-After': String(retryAfter) },
});

export const ok = <Body>(body: Body, etag?: string) => ({
  status: 200 as const,
  body,
  ...(etag !== undefined && { etag }),
});

export const noContent = () => ({ status: 204 as const });

/** 200 with a job. If the job has not ended, Retry-After says when the caller should poll again. */
export const followed = <Job extends { readonly status: JobStatus }>(job: Job) => ({
  status: 200 as const,
  body: job,
  ...(!isTerminal(job.status) && { headers: { 'Retry-After': '1' } }),
});

export interface PageQuery {
  readonly page: number;
  readonly items: number;
  readonly cursor?: string | undefined;
}

interface List {
  readonly path: string;
  /** The filters of this list. A cursor works only with the filters of its list. */
  readonly filters: readonly string[];
}

export interface PagedList<Item> extends List {
  find(position: Position, size: number): Promise<PageOfIds>;
  read(ids: readonly string[]): Promise<readonly Item[]>;
}

export const pageOf = <Item>(query: PageQuery, { find, read, ...list }: PagedList<Item>) =>
  answered(query, list, async (position, size) => {
    const { ids, ...found } = await find(position, size);
    return { data: await read(ids), last: ids.at(-1), ...found };
  });

export interface ChildList<Stored, Item> extends List {
  page(position: Position, size: number): Promise<PageOfItems<Stored>>;
  show(stored: Stored): Item;
}

export const pageOfChildren = <Stored, Item>(
  query: PageQuery,
  { page, show, ...list }: ChildList<Stored, Item>,
) =>
  answered(query, list, async (position, size) => {
    const { items, ...found } = await page(position, size);
    return { data: items.map((item) => show(item)), ...found };
  });

/** Returns one page of a list that had to be read whole: it is one document, or it has a special order. */
export function pageOfAll<Item>(query: PageQuery, all: readonly Item[], { path, filters }: List) {
  const { page, skip } =
    query.cursor === undefined
      ? { page: query.page, skip: (query.page - 1) * query.items }
      : readPlaceCursor(query.cursor, filters);
  const end = skip + query.items;
  const next_cursor = end < all.length ? writePlaceCursor({ page: page + 1, skip: end }, filters) : null;
  const total = { total: all.length, total_is_lower_bound: false };
  return reply(query, path, { data: all.slice(skip, end), page, ...total, next_cursor });
}

interface Found<Item> extends Total {
  readonly data: readonly Item[];
  readonly more: boolean;
  readonly last: string | undefined;
}

async function answered<Item>(
  query: PageQuery,
  { path, filters }: List,
  find: (position: Position, size: number) => Promise<Found<Item>>,
) {
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, filters);
  const position = cursor
    ? { skip: 0, after: cursor.after, counted: cursor.counted }
    : { skip: (query.page - 1) * query.items };
  const { data, more, last, ...counted } = await find(position, query.items);
  const page = cursor?.page ?? query.page;
  const next_cursor =
    more && last !== undefined ? writeCursor({ after: last, page: page + 1, counted }, filters) : null;
  return reply(query, path, { data, page, ...counted, next_cursor });
}

interface PageMembers<Item> extends Total {
  readonly data: readonly Item[];
  readonly page: number;
  readonly next_cursor: string | null;
}

function reply<Item>(query: PageQuery, path: string, members: PageMembers<Item>) {
  const { data, page, next_cursor, ...counted } = members;
  return {
    ...ok({ data, page, items: query.items, ...counted, next_cursor }),
    headers: { Link: pageLinks(path, { ...query }, page, next_cursor) },
  };
}

/** The first, previous and next page. `prev` exists only for numbered pages, because cursors lead only forward. */
export function pageLinks(
  path: string,
  query: Readonly<Record<string, unknown>>,
  page: number,
  nextCursor: string | null,
): string {
  const { page: _, cursor, ...filters } = query;
  const link = (relation: string, extra: object) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filters, ...extra })) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    return `<${path}?${parameters}>; rel="${relation}"`;
  };
  const links = [link('first', { page: 1 })];
  if (page > 1 && cursor === undefined) links.push(link('prev', { page: page - 1 }));
  if (nextCursor !== null) links.push(link('next', { cursor: nextCursor }));
  return links.join(', ');
}
