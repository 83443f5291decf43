/** Detects an MP4 or MOV file that ends before its boxes do, as after an interrupted copy. */
import type { OpenMedia } from './serve-ranges.ts';

/**
 * The most boxes that are read. Each box costs a request. Fragmented files have thousands of boxes, and players accept
 * them even if their end is missing.
 */
const MAX_BOXES = 32;

/**
 * Walks the top-level boxes (ISO/IEC 14496-12 §4.2: 32-bit size and type; size 1 means that 64 bits follow, 0 that
 * the box reaches to the end).
 * @returns the size that the file should have, in bytes; null if the file is complete
 */
export async function expectedSize({ size, read }: Pick<OpenMedia, 'size' | 'read'>): Promise<number | null> {
  let at = 0;
  for (let boxes = 0; boxes < MAX_BOXES && at + 8 <= size; boxes += 1) {
    const box = boxSize(await read(at, at + 15), size - at);
    if (box === null) return null;
    at += box;
  }
  return at > size ? at : null;
}

/** Null if the bytes are not a box, such as padding at the end of a file. */
function boxSize(header: Buffer, rest: number): number | null {
  const size = header.readUInt32BE(0);
  if (size === 0) return rest;
  if (size === 1) return header.length < 16 ? null : Number(header.readBigUInt64BE(8));
  return size < 8 ? null : size;
}
