/** Opaque cursors of lists. A cursor contains a position in the list, and a fingerprint of the filters. */
import { createHash } from 'node:crypto';
import { Problem } from './problems.ts';

/** The length of a list. For long lists, it is a lower bound. */
export interface Total {
  readonly total: number;
  readonly total_is_lower_bound: boolean;
}

export interface Cursor {
  readonly after: string;
  readonly page: number;
  readonly counted: Total;
}

const fingerprint = (filters: readonly string[]) =>
  createHash('sha256').update(filters.join('\n')).digest('base64url').slice(0, 12);

export function writeCursor({ after, page, counted }: Cursor, filters: readonly string[]): string {
  const { total, total_is_lower_bound } = counted;
  return sealed([after, page, total, total_is_lower_bound], filters);
}

/** Throws invalid_cursor for a text that `writeCursor` did not make with the same filters. */
export function readCursor(text: string, filters: readonly string[]): Cursor {
  const [after, page, total, total_is_lower_bound] = unsealed(text, filters);
  const isWhole =
    typeof after === 'string' &&
    /^[0-9a-f-]{36}$/.test(after) &&
    isCount(page) &&
    isCount(total) &&
    typeof total_is_lower_bound === 'boolean';
  if (!isWhole) throw invalidCursor();
  return { after, page, counted: { total, total_is_lower_bound } };
}

/** A cursor of a list that every request reads completely. So the number of skipped items is enough. */
export interface PlaceCursor {
  readonly page: number;
  /** The number of items before the page. */
  readonly skip: number;
}

export const writePlaceCursor = ({ page, skip }: PlaceCursor, filters: readonly string[]): string =>
  sealed([page, skip], filters);

/** Throws invalid_cursor for a text that `writePlaceCursor` did not make with the same filters. */
export function readPlaceCursor(text: string, filters: readonly string[]): PlaceCursor {
  const [page, skip] = unsealed(text, filters);
  if (!(isCount(page) && isCount(skip))) throw invalidCursor();
  return { page, skip };
}

/** A cursor of one version of a resource. A version never changes, so its pages have no gaps or repetitions. */
export interface VersionCursor extends PlaceCursor {
  readonly version: number;
}

export const writeVersionCursor = (
  { version, page, skip }: VersionCursor,
  filters: readonly string[],
): string => sealed([version, page, skip], filters);

/** Throws invalid_cursor for a text that `writeVersionCursor` did not make with the same filters. */
export function readVersionCursor(text: string, filters: readonly string[]): VersionCursor {
  const [version, page, skip] = unsealed(text, filters);
  if (!(isCount(version) && isCount(page) && isCount(skip))) throw invalidCursor();
  return { version, page, skip };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const invalidCursor = () =>
  new Problem('invalid_cursor', 'Invalid cursor. Send the `next_cursor` of the previous page.');

const sealed = (parts: readonly unknown[], filters: readonly string[]) =>
  Buffer.from(JSON.stringify([...parts, fingerprint(filters)])).toString('base64url');

function unsealed(text: string, filters: readonly string[]): unknown[] {
  const [stored, ...reversed] = parsed(text).reverse();
  if (stored === undefined) throw invalidCursor();
  if (stored !== fingerprint(filters))
    throw new Problem(
      'invalid_cursor',
      'The cursor belongs to other filters. Send the same filters again, or no cursor.',
    );
  return reversed.reverse();
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
