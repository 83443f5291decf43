/** Files with wrong headers, tables and times. */
import { box, element, float64, full, join, text, times, u8, u16, u32 } from './bytes.ts';
import { type EvilFile, files } from './kinds.ts';
import {
  type Edit,
  edits,
  endless,
  movie,
  nested,
  pcm,
  picture,
  pictureMovie,
  soundMovie,
  type Track,
} from './movies.ts';
import { flac, mkv, mp3Frames, mp3With, wav } from './sounds.ts';

const HOUR_MS = 3_600_000;

const durations = [
  ...files(
    { duration_ms: 1000 },
    {
      'second of sound that lasts 13 h by mvhd': () => soundMovie({}, { duration: 13 * HOUR_MS }),
      'second of sound that lasts nothing by all headers': () => soundMovie({ duration: 0 }, { duration: 0 }),
      'Matroska that states 13 h': () => mkv({ duration: 13 * HOUR_MS }),
      'Matroska that states less than nothing': () => mkv({ duration: -1000 }),
      'Matroska that states what is no number': () => mkv({ duration: Number.NaN }),
      'WAV of 4 GiB by its header': () => wav({ stated: 0xffffffff }),
      'AU of 4 GiB': () => join(text('.snd'), u32(24, 0xffffffff, 3, 8000, 1), Buffer.alloc(16_000)),
    },
  ),
  ...files('refused', {
    'sound of 10 KB whose second half is 13 h later': () => laterBy(13 * HOUR_MS),
    'sound of 10 KB whose second half is 11 h later': () => laterBy(11 * HOUR_MS),
    'Matroska of 13 h of gaps that states a second': () => mkv({ blocks: [0, 100, 13 * HOUR_MS] }),
    'FLAC of 14 KB that lasts 13 h': () => flac(1000, 65_535, 1400),
    'FLAC of 14 KB that lasts 13 h and says so of a second': () => flac(1000, 65_535, 1400, 1400),
  }),
  ...files('either', {
    'Matroska whose times go back': () => mkv({ blocks: [900, 800, 0, 500, 500, 100] }),
    'MP3 of 2^31 frames by its header': () => mp3With('Xing', 2 ** 31),
    'MP3 of a frame by its header': () => mp3With('Xing', 1),
    'MP3 of 2^31 frames by VBRI': () => mp3With('VBRI', 2 ** 31),
    'WAV of nothing by its header': () => wav({ stated: 0 }),
    'picture that lasts 13 h by its table': () => pictureMovie(timed([1, 13 * 3600 * 25], [24, 1])),
  }),
];

/** Samples with these durations: the number of samples, and the duration of each. */
const timed = (...times: readonly (readonly [number, number])[]): Partial<Track> => ({ times });

/** Half a second of sound, and a second part that starts this much later. */
const laterBy = (gap_ms: number) =>
  soundMovie(
    { samples: 4000, duration: 8000, ...timed([1999, 1], [1, gap_ms * 8], [2000, 1]) },
    { data: Buffer.alloc(8000, 0x11) },
  );

const edited = (entries: readonly Edit[], makes = soundMovie) => makes({ edits: edits(...entries) });
const repeated = (count: number, entry: Edit) => Array.from({ length: count }, () => entry);

const editLists = files('either', {
  'edit list that plays a second 10,000 times': () => edited(repeated(10_000, [1000, 0])),
  'edit list that begins 13 h later': () =>
    edited([
      [13 * HOUR_MS, -1],
      [1000, 0],
    ]),
  'edit list of gaps': () => edited(repeated(1000, [HOUR_MS, -1])),
  'edit list that begins beyond the end': () => edited([[1000, 0x7fffffff]]),
  'edit list that begins before the beginning': () => edited([[1000, -0x7fffffff]]),
  'edit list of 2^32 entries': () =>
    soundMovie({ edits: full('elst', 0, u32(0xffffffff, 1000, 0, 0x10000)) }),
  'edit list at a rate of nothing': () => edited([[1000, 0, 0]]),
  'picture that an edit list plays 10,000 times': () => edited(repeated(10_000, [1000, 0]), pictureMovie),
});

const withTables = (tables: NonNullable<Track['tables']>) => soundMovie({ tables });
/** Each of the samples lasts 2^32. */
const longTimes = full('stts', 0, u32(1, 0xffffffff, 0xffffffff));
const backwards = full('ctts', 0x1000000, u32(1, 25, 0x80000000));

const tables = files('either', {
  ...Object.fromEntries(
    Object.entries(endless).map(([name, table]) => [
      `table ${name} of 2^32 entries`,
      () => withTables({ [table.toString('latin1', 4, 8)]: table }),
    ]),
  ),
  '2^32 samples of two bytes, each of which lasts 2^32': () =>
    withTables({ stsz: endless.sameSize, stts: longTimes }),
  'samples of 4 GiB': () => withTables({ stsz: full('stsz', 0, u32(0xffffffff, 8000)) }),
  'chunks that lie behind the end': () => withTables({ stco: full('stco', 0, u32(1, 0xfffffff0)) }),
  'chunks that all lie in the header': () => withTables({ stco: full('stco', 0, u32(1, 0)) }),
  'times that go back': () => pictureMovie({ tables: { ctts: backwards } }),
  'times of which each is before the one before': () => pictureMovie(timed([25, -1])),
  'boxes in boxes, 10,000 deep': () => soundMovie({}, { inside: [nested('udta', 10_000)] }),
  'boxes in boxes, 10,000 deep, of tracks': () => soundMovie({}, { inside: [nested('trak', 10_000)] }),
  'boxes of no length': () => join(soundMovie(), times(1000, u32(0))),
  '100,000 empty boxes': () => join(soundMovie(), times(100_000, box('free'))),
  'box of 2^63 bytes': () => join(soundMovie(), u32(1), text('mdat'), u32(0x7fffffff, 0xffffffff)),
  'fragments of which each points at itself': () => fragments(),
  'Matroska elements of which each says it is larger than the file': () =>
    join(mkv(), u8(0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
  'Matroska elements in elements, 10,000 deep': () => mkv({ beside: [deepElements(10_000)] }),
});

function fragments(): Buffer {
  const run = full('trun', 0x301, u32(0x7fffffff, 0, 1, 1));
  const fragment = box('moof', full('mfhd', 0, u32(1)), box('traf', full('tfhd', 0x20000, u32(1)), run));
  const extended = box('mvex', full('trex', 0, u32(1, 1, 1, 2, 0)));
  return join(soundMovie({}, { inside: [extended] }), times(50, fragment));
}

function deepElements(depth: number): Buffer {
  let inner: Buffer = u8();
  for (let at = 0; at < depth; at += 1) inner = element(0x45b9, inner);
  return element(0x1043a770, inner);
}

const rates = [
  ...files('refused', {
    'sound at 0 Hz': () => wav({ rate: 0 }),
    'no channel': () => wav({ channels: 0 }),
    'frame every 100 days': () => pictureMovie({ timescale: 1, ...timed([25, 8_640_000]) }),
  }),
  ...files('either', {
    'sample a second': () => wav({ rate: 1, data: Buffer.alloc(2) }),
    'sound at 2^31 Hz': () => wav({ rate: 0x7fffffff }),
    '255 channels': () => wav({ channels: 255, data: Buffer.alloc(255 * 2 * 8000) }),
    '65,535 channels': () => wav({ channels: 65_535, data: Buffer.alloc(65_535 * 2) }),
    'MP4 at a rate that stsd does not hold': () => soundMovie({ entry: pcm(65_535, 255) }),
    'MP4 with a timescale of 1': () => soundMovie({ timescale: 1 }),
    'MP4 with a timescale of 0': () => soundMovie({ timescale: 0 }),
    'MP4 with a timescale of 2^32': () => soundMovie({ timescale: 0xffffffff }),
    '10^9 frames a second': () => pictureMovie({ timescale: 1e9, ...timed([25, 1]) }),
    'Matroska at 10^300 Hz': () => mkv({ rate: 1e300 }),
    'Matroska at less than 0 Hz': () => mkv({ rate: -1 }),
    'Matroska with frames of no time': () => mkv({ info: [element(0x2ad7b1, u32(0))] }),
    'Matroska at times of 2^63': () => mkv({ info: [element(0x2ad7b1, u32(0xffffffff))] }),
  }),
];

const tracks = (length: number, track: Partial<Track> = {}) =>
  movie({ tracks: Array.from({ length }, () => ({ kind: 'sound' as const, ...track })) });

const streams = [
  ...files('refused', {
    nothing: () => Buffer.alloc(0),
    byte: () => u8(0),
    'MP4 without a track': () => tracks(0),
    'Matroska without a track': () => mkv({ tracks: 0 }),
    'AVI without a stream': () => join(text('RIFF'), u32(0), text('AVI LIST'), u32(0), text('hdrl')),
    'transport stream of 8,000 programmes': () => programmes(8000),
  }),
  ...files({ detail: /has 65 streams; at most 64 are/ }, { 'MP4 of 65 tracks': () => tracks(65) }),
  ...files(
    { detail: /has more than 1000 streams; at most 64 are/ },
    {
      'MP4 of 1,001 tracks': () => tracks(1001, { samples: 1 }),
      'MP4 of 10,000 tracks': () => tracks(10_000, { samples: 1 }),
      'Matroska of 1,001 tracks': () => mkv({ tracks: 1001 }),
      'Matroska of 10,000 tracks': () => mkv({ tracks: 10_000 }),
    },
  ),
  ...files('either', {
    'MP4 with a track of data alone': () => soundMovie({ entry: box('tmcd', Buffer.alloc(20)) }),
    'pictures without one that decodes': () => pictureMovie({}, { data: Buffer.alloc(25 * 83, 0xff) }),
    'picture of 0 by 0': () => pictureMovie({ entry: picture(0, 0), size: [0, 0] }),
  }),
];

/** ISO/IEC 13818-1 §2.4.4: a program table, and one map per program, without a valid checksum. */
function programmes(count: number): Buffer {
  const packet = (pid: number, body: Buffer) =>
    join(u8(0x47), u16(0x4000 | pid), u8(0x10), body, Buffer.alloc(Math.max(0, 184 - body.length), 0xff));
  const map = (number: number) => {
    const streams = Array.from({ length: 30 }, (_, at) => u8(0x0f, 0xe1, (number + at) & 0xff, 0xf0, 0));
    const body = join(u16(number), u8(0xc1, 0, 0, 0xe1, 0, 0xf0, 0), ...streams);
    return join(u8(0), u8(2), u16(0xb000 | (body.length + 4)), body, u32(0));
  };
  return join(...Array.from({ length: count }, (_, at) => packet(16 + (at % 8000), map(at + 1))));
}

const silence = Buffer.alloc(16_000);
const endlessRate = u16(16, 0x7fff, 0xffff, 0xffff, 0xffff, 0xffff);

const stated = [
  ...files({ duration_ms: 2612 }, { 'MP3 of a hundred frames': () => mp3Frames(100) }),
  ...files('either', {
    'AIFF of a rate that is no number': () =>
      join(
        ...[text('FORM'), u32(1000), text('AIFFCOMM'), u32(18), u16(1), u32(8000), endlessRate],
        ...[text('SSND'), u32(16_008, 0, 0), silence],
      ),
    'CAF of a rate that is no number': () =>
      join(
        ...[text('caff'), u16(1, 0), text('desc'), u32(0, 32), float64(Number.POSITIVE_INFINITY)],
        ...[text('lpcm'), u32(0, 2, 1, 1, 16), text('data'), u32(0xffffffff, 0xffffffff, 0), silence],
      ),
  }),
];

export const lies: readonly EvilFile[] = [
  ...[...durations, ...editLists, ...tables],
  ...[...rates, ...streams, ...stated],
];
