/** Reads the top-level boxes of an MP4 or MOV file (ISO/IEC 14496-12 §4.2). */
import type { RangeSource } from '../../shared/media.ts';

/**
 * Yields the range of each box's content. Its end may be beyond the end of the file. Stops at bytes that are not a box (padding).
 * @param limit the maximum number of boxes, because each box costs a request
 */
export async function* topBoxes(source: RangeSource, limit: number, signal?: AbortSignal) {
  let at = 0;
  for (let boxes = 0; boxes < limit && at + 8 <= source.size; boxes += 1) {
    const head = Buffer.from(await source.read(at, Math.min(at + 15, source.size - 1), signal));
    // Size 1: the next 64 bits are the size. Size 0: the box extends to the end of the file.
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const size = short === 0 ? source.size - at : isLong ? Number(head.readBigUInt64BE(8)) : short;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes) return;
    yield { type: head.toString('latin1', 4, 8), start: at + headBytes, end: at + size };
    at += size;
  }
}

/** The maximum number of boxes that are checked. */
const MAX_BOXES = 32;

/** Returns the size that the boxes require, if the file is shorter (for example, after an interrupted copy). Null if the file is complete. */
export async function expectedSize(source: RangeSource): Promise<number | null> {
  let end = 0;
  for await (const box of topBoxes(source, MAX_BOXES)) {
    // Players accept a fragmented file even if its end is missing. `find-missing-end.ts` reports the missing end.
    if (box.type === 'moof') return null;
    end = box.end;
  }
  return end > source.size ? end : null;
}
