/** Pages of lists: by number or by cursor, with Link headers (RFC 8288). */

import { readCursor, writeCursor } from '../shared/cursor.ts';
import type { PageOfIds, Position } from '../store/id-pages.ts';
import { ok } from './replies.ts';

export interface PageQuery {
  readonly page: number;
  readonly items: number;
  readonly cursor?: string | undefined;
}

export interface PagedList<Item> {
  readonly path: string;
  /** What tells this list from others: a cursor works with the same filters only. */
  readonly filters: readonly string[];
  find(position: Position, size: number): Promise<PageOfIds>;
  read(ids: readonly string[]): Promise<readonly Item[]>;
}

/** Answers one page of a list. */
export async function pageOf<Item>(query: PageQuery, { path, filters, find, read }: PagedList<Item>) {
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, filters);
  const position = cursor
    ? { skip: 0, after: cursor.after, counted: cursor.counted }
    : { skip: (query.page - 1) * query.items };
  const { ids, more, ...counted } = await find(position, query.items);
  const page = cursor?.page ?? query.page;
  const last = ids.at(-1);
  const next_cursor =
    more && last !== undefined ? writeCursor({ after: last, page: page + 1, counted }, filters) : null;
  const data = await read(ids);
  return {
    ...ok({ data, page, items: query.items, ...counted, next_cursor }),
    headers: { Link: pageLinks(path, { ...query }, page, next_cursor) },
  };
}

/** first, prev and next of one page; `prev` only where pages are counted, since a cursor leads one way. */
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
