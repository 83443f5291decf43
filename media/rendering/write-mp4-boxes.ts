/** Writes the boxes of an MP4 (ISO/IEC 14496-12, -14). Pure. */
import type { Size } from '../../shared/boxes.ts';
import { itemAt } from '../../shared/checked-access.ts';

/** A track to write. Its tables have one entry for each sample, in decoding order. */
export interface WrittenTrack extends Size {
  readonly kind: 'vide' | 'soun';
  readonly timescale: number;
  readonly description: Buffer;
  /** `skipped`: the ticks at the start that players skip. `lasts`: the ticks after these, which players play. */
  readonly skipped: number;
  readonly lasts: number;
  readonly sizes: readonly number[] | Uint32Array;
  readonly durations: ArrayLike<number>;
  readonly shifts: ArrayLike<number>;
  readonly keys: ArrayLike<number> | null;
  /** Groups of adjacent samples: the number of samples, and the byte offset of the first one. */
  readonly groups: readonly { readonly samples: number; readonly offset: number }[];
}

/** The ticks per second of the movie's clock. A sample of sound and, at most rates, a frame last a whole number of ticks. */
const MOVIE_TIMESCALE = 48_000;
/** The maximum time in boxes of version 0. Longer times need boxes of version 1. */
const MOST_SHORT = 0xffff_ffff;

export const fileType = (): Buffer =>
  box('ftyp', text('isom'), u32(0x200), text('isom'), text('iso2'), text('avc1'), text('mp41'));

/** Returns the head of `mdat`. It always has the long form, so that its size does not depend on the size of the clip. */
export const mediaDataHead = (bytes: number): Buffer =>
  Buffer.concat([u32(1), text('mdat'), u64(bytes + 16)]);

export function movie(tracks: readonly WrittenTrack[]): Buffer {
  const lasts = Math.max(...tracks.map(inMovie));
  const header = full('mvhd', 1, 0, [
    ...[u64(0), u64(0), u32(MOVIE_TIMESCALE), u64(lasts), u32(0x1_0000), u16(0x100), Buffer.alloc(10)],
    ...[unity, Buffer.alloc(24), u32(tracks.length + 1)],
  ]);
  return box('moov', header, ...tracks.map((track, at) => trackBox(track, at + 1)));
}

const inMovie = ({ lasts, timescale }: WrittenTrack) => Math.round((lasts * MOVIE_TIMESCALE) / timescale);

function trackBox(track: WrittenTrack, id: number): Buffer {
  const isSound = track.kind === 'soun';
  const header = full('tkhd', 1, 3, [
    ...[u64(0), u64(0), u32(id), u32(0), u64(inMovie(track)), Buffer.alloc(8), u16(0)],
    // Tracks of one group are alternatives: a player plays one of them at a time.
    ...[u16(isSound ? 1 : 0), u16(isSound ? 0x100 : 0), u16(0), unity],
    ...[u32(track.width * 0x1_0000), u32(track.height * 0x1_0000)],
  ]);
  const edits = full('elst', 1, 0, [u32(1), u64(inMovie(track)), u64(track.skipped), u16(1), u16(0)]);
  return box('trak', header, box('edts', edits), mediaBox(track));
}

function mediaBox(track: WrittenTrack): Buffer {
  const isSound = track.kind === 'soun';
  let decoded = 0;
  for (let at = 0; at < track.durations.length; at += 1) decoded += itemAt(track.durations, at);
  // 0x55c4 is the language code "und": three letters of five bits.
  const header = full('mdhd', 1, 0, [
    u64(0),
    u64(0),
    u32(track.timescale),
    u64(decoded),
    u16(0x55c4),
    u16(0),
  ]);
  const name = isSound ? 'SoundHandler\0' : 'VideoHandler\0';
  const handler = full('hdlr', 0, 0, [u32(0), text(track.kind), Buffer.alloc(12), text(name)]);
  const kind = isSound ? full('smhd', 0, 0, [u32(0)]) : full('vmhd', 0, 1, [Buffer.alloc(8)]);
  const here = box('dinf', full('dref', 0, 0, [u32(1), full('url ', 0, 1, [])]));
  return box('mdia', header, handler, box('minf', kind, here, sampleTable(track)));
}

function sampleTable(track: WrittenTrack): Buffer {
  const { sizes, keys, groups, shifts } = track;
  const isShifted = Array.from(shifts).some((shift) => shift !== 0);
  const long = groups.some(({ offset }) => offset > MOST_SHORT);
  const offsets = groups.map(({ offset }) => (long ? u64(offset) : u32(offset)));
  const keySamples = Array.from(keys ?? []).flatMap((key, at) => (key === 1 ? [at + 1] : []));
  return box(
    'stbl',
    box('stsd', track.description),
    full('stts', 0, 0, [runs(track.durations)]),
    ...(isShifted ? [full('ctts', 0, 0, [runs(shifts)])] : []),
    ...(keys === null ? [] : [full('stss', 0, 0, [u32(keySamples.length), u32s(keySamples)])]),
    full('stsc', 0, 0, [groupRuns(groups)]),
    full('stsz', 0, 0, [u32(0), u32(sizes.length), u32s(sizes)]),
    full(long ? 'co64' : 'stco', 0, 0, [u32(offsets.length), ...offsets]),
  );
}

function runs(values: ArrayLike<number>): Buffer {
  const entries: number[] = [];
  for (let at = 0; at < values.length; ) {
    let end = at + 1;
    while (end < values.length && values[end] === values[at]) end += 1;
    entries.push(end - at, itemAt(values, at));
    at = end;
  }
  return u32s([entries.length / 2, ...entries]);
}

/** Encodes runs of groups with the same number of samples: the number of the first group, and the number of samples. */
function groupRuns(groups: WrittenTrack['groups']): Buffer {
  const entries = groups.flatMap(({ samples }, at) =>
    at > 0 && itemAt(groups, at - 1).samples === samples ? [] : [at + 1, samples, 1],
  );
  return u32s([entries.length / 3, ...entries]);
}

/** The identity matrix in fixed point: 16.16, but 2.30 in the last column. */
const unity = u32s([0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]);

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

const full = (type: string, version: number, flags: number, contents: readonly Buffer[]): Buffer =>
  box(type, u32(version * 0x100_0000 + flags), ...contents);

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const u32 = (value: number): Buffer => u32s([value]);

function u32s(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (let at = 0; at < values.length; at += 1) bytes.writeUInt32BE(itemAt(values, at), 4 * at);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
