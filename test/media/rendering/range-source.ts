/** What was rendered, as a source that is read in ranges. */
import { readFile } from 'node:fs/promises';
import type { RangeSource } from '../../../shared/media.ts';

export async function sourceOf(path: string): Promise<RangeSource> {
  const bytes = await readFile(path);
  return { size: bytes.length, read: async (first, last) => bytes.subarray(first, last + 1) };
}
