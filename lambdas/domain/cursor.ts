/** Opaque cursors of lists: where the page before ended, what was counted, and for which filters. */
import { createHash } from 'node:crypto';
import { Problem } from './problems.ts';

/** How long a list is, as far as it was counted. */
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
  const parts = [after, page, total, total_is_lower_bound, fingerprint(filters)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Throws invalid_cursor for anything that did not come from `writeCursor` with the same filters. */
export function readCursor(text: string, filters: readonly string[]): Cursor {
  const [after, page, total, total_is_lower_bound, made] = parsed(text);
  const isWhole =
    typeof after === 'string' &&
    /^[0-9a-f-]{36}$/.test(after) &&
    Number.isInteger(page) &&
    Number.isInteger(total) &&
    typeof total_is_lower_bound === 'boolean';
  if (!isWhole) throw new Problem('invalid_cursor', 'The cursor is not one that this API gave.');
  if (made !== fingerprint(filters)) {
    throw new Problem('invalid_cursor', 'The cursor belongs to other filters.');
  }
  return { after, page: page as number, counted: { total: total as number, total_is_lower_bound } };
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
