import { createHash } from 'node:crypto';

/** Returns a UUID that is derived from a text. The same text always gives the same UUID. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const ends = [0, 8, 12, 16, 20, 32];
  return ends
    .slice(1)
    .map((end, index) => hex.slice(ends[index], end))
    .join('-');
}
