/** Opaque cursors of lists: where the page before ended, what was counted, and for which filters. */
import { createHash } from 'node:crypto';
import { Problem } from './problems.ts';

export interface Cursor {
  readonly after: string;
  readonly page: number;
  readonly total: number;
}

const fingerprint = (filters: readonly string[]) =>
  createHash('sha256').update(filters.join('\n')).digest('base64url').slice(0, 12);

export function writeCursor({ after, page, total }: Cursor, filters: readonly string[]): string {
  return Buffer.from(JSON.stringify([after, page, total, fingerprint(filters)])).toString('base64url');
}

/** Throws invalid_cursor for anything that did not come from `writeCursor` with the same filters. */
export function readCursor(text: string, filters: readonly string[]): Cursor {
  const [after, page, total, made] = parsed(text);
  const isWhole =
    typeof after === 'string' &&
    /^[0-9a-f-]{36}$/.test(after) &&
    Number.isInteger(page) &&
    Number.isInteger(total);
  if (!isWhole) throw new Problem('invalid_cursor', 'The cursor is not one that this API gave.');
  if (made !== fingerprint(filters)) {
    throw new Problem('invalid_cursor', 'The cursor belongs to other filters.');
  }
  return { after, page: page as number, total: total as number };
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
