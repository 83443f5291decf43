/** Tells whether an MP4 or MOV file ends before its boxes do, as an interrupted copy does. */
import { open } from 'node:fs/promises';

/**
 * Walks the top-level boxes (ISO/IEC 14496-12 §4.2: 32-bit size and type; size 1 means that 64 bits follow, 0 that
 * the box reaches to the end).
 * @returns the bytes that the file should have, or null where it is whole
 */
export async function expectedSize(file: string, size: number): Promise<number | null> {
  const handle = await open(file);
  try {
    const header = Buffer.alloc(16);
    for (let at = 0; at + 8 <= size; ) {
      const { bytesRead } = await handle.read(header, 0, 16, at);
      const box = boxSize(header, bytesRead, size - at);
      if (box === null) return null;
      at += box;
      if (at > size) return at;
    }
    return null;
  } finally {
    await handle.close();
  }
}

/** Null where what stands there is no box: padding at the end of a file, for example. */
function boxSize(header: Buffer, bytesRead: number, rest: number): number | null {
  const size = header.readUInt32BE(0);
  if (size === 0) return rest;
  if (size === 1) return bytesRead < 16 ? null : Number(header.readBigUInt64BE(8));
  return size < 8 ? null : size;
}
