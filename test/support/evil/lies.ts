/** Files with wrong headers, tables and times. */
import { box, element, float64, full, join, text, times, u8, u16, u32 } from './bytes.ts';
import type { EvilFile } from './kinds.ts';
import { edits, endless, movie, nested, pcm, picture, type Track } from './movies.ts';
import { flac, mkv, mp3Frames, mp3With, wav } from './sounds.ts';

const sound: Track = { kind: 'sound' };
const silent: Track = { kind: 'picture' };
const HOUR_MS = 3_600_000;
const file = (name: string, make: () => Buffer, expected: EvilFile['expected'] = 'either'): EvilFile => ({
  name,
  bytes: async () => make(),
  expected,
});
const second = { duration_ms: 1000 };

const durations = [
  file(
    'second of sound that lasts 13 h by mvhd',
    () => movie({ tracks: [sound], duration: 13 * HOUR_MS }),
    second,
  ),
  file(
    'second of sound that lasts nothing by all headers',
    () => movie({ tracks: [{ ...sound, duration: 0 }], duration: 0 }),
    second,
  ),
  file('sound of 10 KB whose second half is 13 h later', () => laterBy(13 * HOUR_MS), 'refused'),
  file('sound of 10 KB whose second half is 11 h later', () => laterBy(11 * HOUR_MS), 'refused'),
  file(
    'Matroska of 13 h of gaps that states a second',
    () => mkv({ blocks: [0, 100, 13 * HOUR_MS] }),
    'refused',
  ),
  file('Matroska that states 13 h', () => mkv({ duration: 13 * HOUR_MS }), second),
  file('Matroska that states less than nothing', () => mkv({ duration: -1000 }), second),
  file('Matroska that states what is no number', () => mkv({ duration: Number.NaN }), second),
  file('Matroska whose times go back', () => mkv({ blocks: [900, 800, 0, 500, 500, 100] })),
  file('FLAC of 14 KB that lasts 13 h', () => flac(1000, 65_535, 1400), 'refused'),
  file(
    'FLAC of 14 KB that lasts 13 h and says so of a second',
    () => flac(1000, 65_535, 1400, 1400),
    'refused',
  ),
  file('MP3 of 2^31 frames by its header', () => mp3With('Xing', 2 ** 31)),
  file('MP3 of a frame by its header', () => mp3With('Xing', 1)),
  file('MP3 of 2^31 frames by VBRI', () => mp3With('VBRI', 2 ** 31)),
  file('WAV of 4 GiB by its header', () => wav({ stated: 0xffffffff }), second),
  file('WAV of nothing by its header', () => wav({ stated: 0 })),
  file(
    'AU of 4 GiB',
    () => join(text('.snd'), u32(24, 0xffffffff, 3, 8000, 1), Buffer.alloc(16_000)),
    second,
  ),
  file('picture that lasts 13 h by its table', () =>
    movie({
      tracks: [
        {
          ...silent,
          times: [
            [1, 13 * 3600 * 25],
            [24, 1],
          ],
        },
      ],
    }),
  ),
];

/** Half a second of sound, and a second part that starts this much later. */
const laterBy = (gap_ms: number) =>
  movie({
    tracks: [
      {
        ...sound,
        samples: 4000,
        duration: 8000,
        times: [
          [1999, 1],
          [1, gap_ms * 8],
          [2000, 1],
        ],
      },
    ],
    data: Buffer.alloc(8000, 0x11),
  });

const editLists = [
  file('edit list that plays a second 10,000 times', () =>
    movie({
      tracks: [{ ...sound, edits: edits(...Array.from({ length: 10_000 }, () => [1000, 0] as const)) }],
    }),
  ),
  file('edit list that begins 13 h later', () =>
    movie({ tracks: [{ ...sound, edits: edits([13 * HOUR_MS, -1], [1000, 0]) }] }),
  ),
  file('edit list of gaps', () =>
    movie({
      tracks: [{ ...sound, edits: edits(...Array.from({ length: 1000 }, () => [HOUR_MS, -1] as const)) }],
    }),
  ),
  file('edit list that begins beyond the end', () =>
    movie({ tracks: [{ ...sound, edits: edits([1000, 0x7fffffff]) }] }),
  ),
  file('edit list that begins before the beginning', () =>
    movie({ tracks: [{ ...sound, edits: edits([1000, -0x7fffffff]) }] }),
  ),
  file('edit list of 2^32 entries', () =>
    movie({ tracks: [{ ...sound, edits: full('elst', 0, u32(0xffffffff, 1000, 0, 0x10000)) }] }),
  ),
  file('edit list at a rate of nothing', () => movie({ tracks: [{ ...sound, edits: edits([1000, 0, 0]) }] })),
  file('picture that an edit list plays 10,000 times', () =>
    movie({
      tracks: [{ ...silent, edits: edits(...Array.from({ length: 10_000 }, () => [1000, 0] as const)) }],
    }),
  ),
];

const tables = [
  ...Object.entries(endless).map(([name, table]) =>
    file(`table ${name} of 2^32 entries`, () =>
      movie({ tracks: [{ ...sound, tables: { [table.toString('latin1', 4, 8)]: table } }] }),
    ),
  ),
  file('2^32 samples of two bytes, each of which lasts 2^32', () =>
    movie({
      tracks: [
        {
          ...sound,
          tables: { stsz: endless.sameSize, stts: full('stts', 0, u32(1, 0xffffffff, 0xffffffff)) },
        },
      ],
    }),
  ),
  file('samples of 4 GiB', () =>
    movie({ tracks: [{ ...sound, tables: { stsz: full('stsz', 0, u32(0xffffffff, 8000)) } }] }),
  ),
  file('chunks that lie behind the end', () =>
    movie({ tracks: [{ ...sound, tables: { stco: full('stco', 0, u32(1, 0xfffffff0)) } }] }),
  ),
  file('chunks that all lie in the header', () =>
    movie({ tracks: [{ ...sound, tables: { stco: full('stco', 0, u32(1, 0)) } }] }),
  ),
  file('times that go back', () =>
    movie({ tracks: [{ ...silent, tables: { ctts: full('ctts', 0x1000000, u32(1, 25, 0x80000000)) } }] }),
  ),
  file('times of which each is before the one before', () =>
    movie({ tracks: [{ ...silent, times: [[25, -1]] }] }),
  ),
  file('boxes in boxes, 10,000 deep', () => movie({ tracks: [sound], inside: [nested('udta', 10_000)] })),
  file('boxes in boxes, 10,000 deep, of tracks', () =>
    movie({ tracks: [sound], inside: [nested('trak', 10_000)] }),
  ),
  file('boxes of no length', () => join(movie({ tracks: [sound] }), times(1000, u32(0)))),
  file('100,000 empty boxes', () => join(movie({ tracks: [sound] }), times(100_000, box('free')))),
  file('box of 2^63 bytes', () =>
    join(movie({ tracks: [sound] }), u32(1), text('mdat'), u32(0x7fffffff, 0xffffffff)),
  ),
  file('fragments of which each points at itself', () => fragments()),
  file('Matroska elements of which each says it is larger than the file', () =>
    join(mkv(), u8(0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
  ),
  file('Matroska elements in elements, 10,000 deep', () => mkv({ beside: [deepElements(10_000)] })),
];

function fragments(): Buffer {
  const run = full('trun', 0x301, u32(0x7fffffff, 0, 1, 1));
  const fragment = box('moof', full('mfhd', 0, u32(1)), box('traf', full('tfhd', 0x20000, u32(1)), run));
  return join(
    movie({ tracks: [sound], inside: [box('mvex', full('trex', 0, u32(1, 1, 1, 2, 0)))] }),
    times(50, fragment),
  );
}

function deepElements(depth: number): Buffer {
  let inner: Buffer = u8();
  for (let at = 0; at < depth; at += 1) inner = element(0x45b9, inner);
  return element(0x1043a770, inner);
}

const rates = [
  file('sample a second', () => wav({ rate: 1, data: Buffer.alloc(2) }), 'either'),
  file('sound at 2^31 Hz', () => wav({ rate: 0x7fffffff })),
  file('sound at 0 Hz', () => wav({ rate: 0 }), 'refused'),
  file('255 channels', () => wav({ channels: 255, data: Buffer.alloc(255 * 2 * 8000) })),
  file('65,535 channels', () => wav({ channels: 65_535, data: Buffer.alloc(65_535 * 2) })),
  file('no channel', () => wav({ channels: 0 }), 'refused'),
  file('MP4 at a rate that stsd does not hold', () =>
    movie({ tracks: [{ ...sound, entry: pcm(65_535, 255) }] }),
  ),
  file('MP4 with a timescale of 1', () => movie({ tracks: [{ ...sound, timescale: 1 }] })),
  file('MP4 with a timescale of 0', () => movie({ tracks: [{ ...sound, timescale: 0 }] })),
  file('MP4 with a timescale of 2^32', () => movie({ tracks: [{ ...sound, timescale: 0xffffffff }] })),
  file('10^9 frames a second', () => movie({ tracks: [{ ...silent, timescale: 1e9, times: [[25, 1]] }] })),
  file(
    'frame every 100 days',
    () => movie({ tracks: [{ ...silent, timescale: 1, times: [[25, 8_640_000]] }] }),
    'refused',
  ),
  file('Matroska at 10^300 Hz', () => mkv({ rate: 1e300 })),
  file('Matroska at less than 0 Hz', () => mkv({ rate: -1 })),
  file('Matroska with frames of no time', () => mkv({ info: [element(0x2ad7b1, u32(0))] })),
  file('Matroska at times of 2^63', () => mkv({ info: [element(0x2ad7b1, u32(0xffffffff))] })),
];

const short = { ...sound, samples: 1 };
const tooMany = { detail: /has more than 1000 streams; at most 64 are/ };

const streams = [
  file('nothing', () => Buffer.alloc(0), 'refused'),
  file('byte', () => u8(0), 'refused'),
  file('MP4 without a track', () => movie({ tracks: [] }), 'refused'),
  file('Matroska without a track', () => mkv({ tracks: 0 }), 'refused'),
  file(
    'AVI without a stream',
    () => join(text('RIFF'), u32(0), text('AVI LIST'), u32(0), text('hdrl')),
    'refused',
  ),
  file('MP4 of 65 tracks', () => movie({ tracks: Array.from({ length: 65 }, () => sound) }), {
    detail: /has 65 streams; at most 64 are/,
  }),
  file('MP4 of 1,001 tracks', () => movie({ tracks: Array.from({ length: 1001 }, () => short) }), tooMany),
  file('MP4 of 10,000 tracks', () => movie({ tracks: Array.from({ length: 10_000 }, () => short) }), tooMany),
  file('Matroska of 1,001 tracks', () => mkv({ tracks: 1001 }), tooMany),
  file('Matroska of 10,000 tracks', () => mkv({ tracks: 10_000 }), tooMany),
  file('transport stream of 8,000 programmes', () => programmes(8000), 'refused'),
  file('MP4 with a track of data alone', () =>
    movie({ tracks: [{ ...sound, entry: box('tmcd', Buffer.alloc(20)) }] }),
  ),
  file('pictures without one that decodes', () =>
    movie({ tracks: [silent], data: Buffer.alloc(25 * 83, 0xff) }),
  ),
  file('picture of 0 by 0', () => movie({ tracks: [{ ...silent, entry: picture(0, 0), size: [0, 0] }] })),
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

/** The picture that a player shows. */
const stated = [
  file('MP3 of a hundred frames', () => mp3Frames(100), { duration_ms: 2612 }),
  file('AIFF of a rate that is no number', () =>
    join(
      text('FORM'),
      u32(1000),
      text('AIFFCOMM'),
      u32(18),
      u16(1),
      u32(8000),
      u16(16, 0x7fff, 0xffff, 0xffff, 0xffff, 0xffff),
      text('SSND'),
      u32(16_008, 0, 0),
      Buffer.alloc(16_000),
    ),
  ),
  file('CAF of a rate that is no number', () =>
    join(
      text('caff'),
      u16(1, 0),
      text('desc'),
      u32(0, 32),
      float64(Number.POSITIVE_INFINITY),
      text('lpcm'),
      u32(0, 2, 1, 1, 16),
      text('data'),
      u32(0xffffffff, 0xffffffff, 0),
      Buffer.alloc(16_000),
    ),
  ),
];

export const lies = (): EvilFile[] => [
  ...durations,
  ...editLists,
  ...tables,
  ...rates,
  ...streams,
  ...stated,
];
