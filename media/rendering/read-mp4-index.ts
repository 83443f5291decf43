/**
 * Reads the index of an MP4 or MOV: the position, size and time of each sample (ISO/IEC 14496-12). Files may be hostile. So memory
 * for entries is allocated only after a check that the file contains their bytes, and each byte of a table is read once.
 */

import { defined, itemAt } from '../../shared/checked-access.ts';
import type { RangeSource } from '../../shared/media.ts';
import { topBoxes } from '../ffmpeg/mp4-boxes.ts';

/** A track. Its tables have one entry for each sample, in decoding order. */
export interface Mp4Track {
  readonly kind: 'vide' | 'soun';
  /** Ticks per second. */
  readonly timescale: number;
  /** The content of the box `stsd`: the configuration of the decoder. */
  readonly description: Buffer;
  /** In ticks, from the edit list. `skipped`: the part at the start that players skip. `delayed`: the delay of the start of the track. */
  readonly skipped: number;
  readonly delayed: number;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  readonly durations: Uint32Array;
  /** The ticks from decoding to display, for each sample. */
  readonly shifts: Int32Array;
  /** 1 for each sample that is a key frame. Null if all samples are key frames. */
  readonly keys: Uint8Array | null;
}

/** The maximum size of an index, bytes. The index of twelve hours of media has about 60 MB. */
const MAX_INDEX_BYTES = 128 << 20;
const MAX_SAMPLES = 8_000_000;
/** The maximum number of boxes before the index, or on one level of the index. Real files have a few. */
const MAX_BOXES = 1000;
/** The maximum size of a sample description, bytes. Real descriptions have about 200. */
const MAX_DESCRIPTION_BYTES = 1 << 20;

/** Returns the first track of this kind that has samples, or null. Throws an Error if the index is missing or inconsistent. */
export async function readMp4Track(source: RangeSource, kind: Mp4Track['kind'], signal?: AbortSignal) {
  const movie = await movieBox(source, signal);
  for (const { type, body } of childrenOf(movie)) {
    const track = type === 'trak' ? trackOf(body, kind, source.size) : null;
    if (track !== null) return track;
  }
  return null;
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

async function movieBox(source: RangeSource, signal?: AbortSignal): Promise<Buffer> {
  for await (const { type, start, end } of topBoxes(source, MAX_BOXES, signal)) {
    if (end > source.size) break;
    if (type !== 'moov') continue;
    // For an empty box, the range would be empty, and a store may answer it with the whole object (RFC 9110 §14.1.1).
    if (start === end || end - start > MAX_INDEX_BYTES) break;
    return Buffer.from(await source.read(start, end - 1, signal));
  }
  throw new Error('no index');
}

function childrenOf(body: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= body.length; ) {
    const size = body.readUInt32BE(at) || body.length - at;
    if (size < 8 || at + size > body.length) throw new Error('a box is longer than its parent');
    if (boxes.length === MAX_BOXES) throw new Error('too many boxes');
    boxes.push({ type: body.toString('latin1', at + 4, at + 8), body: body.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

function child(body: Buffer, ...path: readonly string[]): Buffer | null {
  let found: Buffer | null = body;
  for (const type of path) {
    const box: Box | undefined = childrenOf(found).find((one) => one.type === type);
    if (box === undefined) return null;
    found = box.body;
  }
  return found;
}

function needed(body: Buffer, ...path: readonly string[]): Buffer {
  const found = child(body, ...path);
  if (found === null) throw new Error(`no ${path.join('/')}`);
  return found;
}

function trackOf(track: Buffer, kind: Mp4Track['kind'], fileBytes: number): Mp4Track | null {
  if (needed(track, 'mdia', 'hdlr').toString('latin1', 8, 12) !== kind) return null;
  const header = needed(track, 'mdia', 'mdhd');
  const timescale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  const table = needed(track, 'mdia', 'minf', 'stbl');
  const description = needed(table, 'stsd');
  if (description.length > MAX_DESCRIPTION_BYTES) throw new Error('the description is too long');
  const sizes = sizesOf(needed(table, 'stsz'), fileBytes);
  const count = sizes.length;
  if (timescale === 0 || count === 0) return null;
  const offsets = offsetsOf(table, sizes, fileBytes);
  const shifts = child(table, 'ctts');
  const keys = child(table, 'stss');
  return {
    kind,
    timescale,
    // A copy, so that the memory of the index can be freed.
    description: Buffer.from(description),
    ...editOf(child(track, 'edts', 'elst')),
    offsets,
    sizes,
    durations: Uint32Array.from(runs(needed(table, 'stts'), count)),
    shifts: shifts === null ? new Int32Array(count) : Int32Array.from(runs(shifts, count)),
    keys: keys === null ? null : keysOf(keys, count),
  };
}

function sizesOf(body: Buffer, fileBytes: number): Uint32Array {
  const [same, count] = [body.readUInt32BE(4), body.readUInt32BE(8)];
  if (count > MAX_SAMPLES) throw new Error('too many samples');
  const sizes = same > 0 ? null : rowsOf(body, 12, count, 1);
  const bytes = sizes?.reduce((sum, size) => sum + size, 0) ?? same * count;
  // Samples must not share bytes: otherwise, a small file could make a clip of terabytes.
  if (bytes > fileBytes) throw new Error('samples have more bytes than the file');
  return sizes ?? new Uint32Array(count).fill(same);
}

/** Returns the numbers of a table, row by row. Throws if the table has fewer rows than it states. */
function rowsOf(body: Buffer, start: number, rows: number, columns: number): Uint32Array {
  if (start + 4 * rows * columns > body.length) throw shorter();
  return Uint32Array.from({ length: rows * columns }, (_, at) => body.readUInt32BE(start + 4 * at));
}

function offsetsOf(table: Buffer, sizes: Uint32Array, fileBytes: number): Float64Array {
  const placeAt = placesOf(table);
  const offsets = new Float64Array(sizes.length);
  let sample = 0;
  for (const { first, next, samples } of groupsOf(needed(table, 'stsc'))) {
    for (let place = first; place < next && sample < sizes.length; place += 1) {
      let at = placeAt(place);
      for (let one = 0; one < samples && sample < sizes.length; one += 1) {
        offsets[sample] = at;
        at += itemAt(sizes, sample);
        sample += 1;
        if (at > fileBytes) throw new Error('a sample is beyond the end of the file');
      }
    }
  }
  if (sample < sizes.length) throw new Error('samples without a place');
  return offsets;
}

/** Returns a function from the number of a group of samples (from 1) to its offset. */
function placesOf(table: Buffer): (place: number) => number {
  const [short, long] = [child(table, 'stco'), child(table, 'co64')];
  const body = long ?? short;
  if (body === null) throw new Error('no offsets');
  const places = body.readUInt32BE(4);
  if (8 + (long === null ? 4 : 8) * places > body.length) throw shorter();
  return (place) => {
    if (place > places) throw new Error('samples without a place');
    const at = place - 1;
    return long === null ? body.readUInt32BE(8 + 4 * at) : Number(body.readBigUInt64BE(8 + 8 * at));
  };
}

const shorter = () => new Error('a table is shorter than it states');

/** Yields ranges of consecutive groups with the same number of samples. The last range has no end. */
function* groupsOf(body: Buffer) {
  const entries = body.readUInt32BE(4);
  const rows = rowsOf(body, 8, entries, 3);
  for (let entry = 0; entry < entries; entry += 1) {
    const [first, samples, kind] = rows.subarray(3 * entry);
    const next = entry + 1 < entries ? defined(rows[3 * (entry + 1)]) : Number.POSITIVE_INFINITY;
    if (kind !== 1) throw new Error('more than one description');
    // Without this check, empty groups could make an endless loop.
    if (samples === 0 || first === 0 || next <= defined(first)) throw new Error('groups out of order');
    yield { first: defined(first), next, samples: defined(samples) };
  }
}

function runs(body: Buffer, count: number): Int32Array {
  const values = new Int32Array(count);
  const rows = rowsOf(body, 8, body.readUInt32BE(4), 2);
  let at = 0;
  for (let entry = 0; entry < rows.length && at < count; entry += 2) {
    const end = Math.min(count, at + itemAt(rows, entry));
    // `ctts` may contain negative values, so values are read as signed. No real file has durations of more than 31 bits.
    values.fill(itemAt(rows, entry + 1) | 0, at, end);
    at = end;
  }
  if (at < count) throw new Error('samples without a time');
  return values;
}

function keysOf(body: Buffer, count: number): Uint8Array {
  const keys = new Uint8Array(count);
  for (const sample of rowsOf(body, 8, body.readUInt32BE(4), 1)) {
    if (sample === 0 || sample > count) throw new Error('a key frame is not a sample');
    keys[sample - 1] = 1;
  }
  return keys;
}

/** Reads one edit, and an empty edit before it. Throws for files with more edits, because these consist of several pieces. */
function editOf(body: Buffer | null): { skipped: number; delayed: number } {
  if (body === null) return { skipped: 0, delayed: 0 };
  const isLong = body[0] === 1;
  const count = body.readUInt32BE(4);
  const edits = Array.from({ length: Math.min(count, 3) }, (_, at) => {
    const place = 8 + at * (isLong ? 20 : 12);
    return isLong
      ? { lasts: Number(body.readBigUInt64BE(place)), from: Number(body.readBigInt64BE(place + 8)) }
      : { lasts: body.readUInt32BE(place), from: body.readInt32BE(place + 4) };
  });
  const shown = edits.filter(({ from }) => from >= 0);
  if (shown.length > 1 || count > 2) throw new Error('several edits');
  const empty = edits.find(({ from }) => from === -1);
  return { skipped: shown[0]?.from ?? 0, delayed: empty?.lasts ?? 0 };
}

/** Returns the display time of each sample, in ticks from the start of the track. */
export function sampleTimes({ durations, shifts, skipped }: Mp4Track): Float64Array {
  const times = new Float64Array(durations.length);
  let decoded = 0;
  for (let at = 0; at < durations.length; at += 1) {
    times[at] = decoded + itemAt(shifts, at) - skipped;
    decoded += itemAt(durations, at);
  }
  return times;
}
