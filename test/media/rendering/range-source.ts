/** Opens a rendered file as a range source. */
import { readFile } from 'node:fs/promises';
import type { RangeSource } from '../../../shared/media.ts';

export async function sourceOf(path: string): Promise<RangeSource> {
  const bytes = await readFile(path);
  return { size: bytes.length, read: async (first, last) => bytes.subarray(first, last + 1) };
}
