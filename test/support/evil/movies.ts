/** Makes MP4 and MOV files with replaceable tables. */
import { box, full, join, png, text, times, u8, u16, u32 } from './bytes.ts';

export interface Track {
  readonly kind: 'sound' | 'picture';
  readonly timescale?: number;
  /** In units of the timescale, as in `mdhd` and `tkhd`. */
  readonly duration?: number;
  readonly entry?: Buffer;
  readonly samples?: number;
  /** Entries of `stts`: the number of samples, and the duration of each. */
  readonly times?: readonly (readonly [number, number])[];
  readonly sampleBytes?: number;
  /** Boxes that replace a table, or are added after the tables. */
  readonly tables?: Readonly<Partial<Record<'stts' | 'stsc' | 'stsz' | 'stco' | 'ctts' | 'stss', Buffer>>>;
  readonly edits?: Buffer;
  readonly dref?: Buffer;
  readonly matrix?: Buffer;
  readonly size?: readonly [number, number];
}

const UNITY = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const SELF = full('url ', 1);

/** 16-bit PCM at 8 kHz, which needs no encoder. */
export const pcm = (rate = 8000, channels = 1): Buffer =>
  box('sowt', Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(channels, 16, 0, 0), u32((rate << 16) >>> 0));

export const picture = (
  width: number,
  height: number,
  codec = 'png ',
  extra: Buffer = Buffer.alloc(0),
): Buffer =>
  box(
    codec,
    ...[Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(width, height), u32(0x480000, 0x480000, 0)],
    ...[u16(1), Buffer.alloc(32), u16(24, 0xffff), extra],
  );

const dataReferences = (entries: Buffer) => box('dinf', full('dref', 0, u32(1), entries));

function trackBox(track: Track, id: number, offset: number): Buffer {
  const isSound = track.kind === 'sound';
  const { timescale = isSound ? 8000 : 25, samples = isSound ? 8000 : 25, size = [64, 48] } = track;
  const { sampleBytes = isSound ? 2 : png(64, 48).length, matrix = UNITY } = track;
  const { duration = samples, times: runs = [[samples, 1]], tables = {}, edits } = track;
  const { entry = isSound ? pcm() : picture(size[0]!, size[1]!) } = track;
  const own = {
    stts: full('stts', 0, u32(runs.length), ...runs.map(([count, delta]) => u32(count, delta))),
    stsc: full('stsc', 0, u32(1, 1, samples, 1)),
    stsz: full('stsz', 0, u32(sampleBytes, samples)),
    stco: full('stco', 0, u32(1, offset)),
    ...tables,
  };
  return box(
    'trak',
    full(
      'tkhd',
      3,
      u32(0, 0, id, 0, duration, 0, 0),
      u16(0, 0, isSound ? 0x100 : 0, 0),
      matrix,
      u32(size[0]! << 16, size[1]! << 16),
    ),
    ...(edits === undefined ? [] : [box('edts', edits)]),
    box(
      'mdia',
      full('mdhd', 0, u32(0, 0, timescale, duration), u16(0x55c4, 0)),
      full('hdlr', 0, u32(0), text(isSound ? 'soun' : 'vide'), Buffer.alloc(12), text('h\0')),
      box(
        'minf',
        isSound ? full('smhd', 0, u32(0)) : full('vmhd', 1, u32(0, 0)),
        dataReferences(track.dref ?? SELF),
        box('stbl', full('stsd', 0, u32(1), entry), ...Object.values(own)),
      ),
    ),
  );
}

interface Movie {
  readonly brand?: string;
  readonly tracks: readonly Track[];
  /** The duration of the movie, in ms. */
  readonly duration?: number;
  readonly data?: Buffer;
  /** Boxes inside `moov`. */
  readonly inside?: readonly Buffer[];
}

/** The index is first, the samples follow: one picture or one second of silence, repeated. */
export function movie({ brand = 'isom', tracks, duration = 1000, data, inside = [] }: Movie): Buffer {
  const head = box('ftyp', text(brand), u32(0x200), text(brand));
  const payload =
    data ?? (tracks.some(({ kind }) => kind === 'picture') ? times(25, png(64, 48)) : Buffer.alloc(16_000));
  const header = full(
    'mvhd',
    0,
    u32(0, 0, 1000, duration, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    UNITY,
    Buffer.alloc(24),
    u32(tracks.length + 1),
  );
  const index = (offset: number) =>
    box('moov', header, ...tracks.map((track, at) => trackBox(track, at + 1, offset)), ...inside);
  const offset = head.length + index(0).length + 8;
  return join(head, index(offset), box('mdat', payload));
}

const movieOf =
  (kind: Track['kind']) =>
  (track: Partial<Track> = {}, more: Partial<Movie> = {}) =>
    movie({ tracks: [{ kind, ...track }], ...more });
export const soundMovie = movieOf('sound');
export const pictureMovie = movieOf('picture');

export type Edit = readonly [duration: number, from: number, rate?: number];

/** An edit list (§8.6.6): for each edit its duration in ms and its start in the media; -1 is a gap. */
export const edits = (...entries: readonly Edit[]) =>
  full(
    'elst',
    0,
    u32(entries.length),
    ...entries.map(([lasts, from, rate = 0x10000]) => u32(lasts, from, rate)),
  );

/** Tables with a large count and little data. */
export const endless = {
  stts: full('stts', 0, u32(0xffffffff, 0xffffffff, 1)),
  stsz: full('stsz', 0, u32(0, 0xffffffff)),
  sameSize: full('stsz', 0, u32(2, 0xffffffff)),
  stco: full('stco', 0, u32(0xffffffff, 0)),
  stsc: full('stsc', 0, u32(0xffffffff, 1, 0xffffffff, 1)),
  ctts: full('ctts', 0, u32(0xffffffff, 1, 1)),
  stss: full('stss', 0, u32(0xffffffff, 1)),
};

export const nested = (type: string, depth: number): Buffer => {
  let inner: Buffer = u8();
  for (let at = 0; at < depth; at += 1) inner = box(type, inner);
  return inner;
};
