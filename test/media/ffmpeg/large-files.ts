/** Simulates files that are larger than a test may write. */
import { open } from 'node:fs/promises';
import type { RangeSource } from '../../../shared/media.ts';

/**
 * Returns an MP4 with its index at the end, after a `free` box of this many bytes. The content of that box is generated
 * on reading and is not on disk.
 */
export async function withGap(file: string, gap: number): Promise<RangeSource & { close(): Promise<void> }> {
  const handle = await open(file);
  const bytes = await handle.readFile();
  const at = bytes.lastIndexOf('moov') - 4;
  // ISO/IEC 14496-12 §4.2: a size of 1 means that 64 bits follow.
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write('free', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(gap), 8);
  const before = Buffer.concat([bytes.subarray(0, at), head]);
  const after = bytes.subarray(at);
  const end = at + gap;
  const read = async (first: number, last: number) => {
    const wanted = Buffer.alloc(last - first + 1);
    before.copy(wanted, 0, Math.min(first, before.length), Math.min(last + 1, before.length));
    if (last >= end) after.copy(wanted, Math.max(0, end - first), Math.max(0, first - end), last + 1 - end);
    return wanted;
  };
  return { size: bytes.length + gap, read, close: () => handle.close() };
}
