/** Small files that are large after decompression: pictures, covers, tags, nested data. */
import {
  Bits,
  box,
  chunk,
  element,
  full,
  join,
  le16,
  le32,
  PNG_MARK,
  png,
  text,
  times,
  u8,
  u16,
  u32,
} from './bytes.ts';
import { type EvilFile, files } from './kinds.ts';
import { picture, pictureMovie, soundMovie } from './movies.ts';
import { id3, id3Frame, mkv, mp3Frames, wav } from './sounds.ts';

/** A picture whose header declares this size, with a hundred rows of data. */
const claimed = (width: number, height: number) => png(width, height, { rows: 100 });

const pictures = [
  ...files('refused', {
    'PNG of 65,535 by 65,535': () => claimed(65_535, 65_535),
    'PNG of 2^31 by 1': () => claimed(0x7fffffff, 1),
    'PNG of 30,000 by 30,000 that is all there': () => png(30_000, 30_000),
    'PNG of 0 by 0': () => claimed(0, 0),
    'GIF of 65,535 by 65,535': () => gif(65_535, 65_535, 1),
    'JPEG of 65,535 by 65,535': () => jpeg(65_535, 65_535),
    'WebP of 16,383 by 16,383': () => webp(16_383, 16_383),
    'TIFF that points at itself': () =>
      join(text('II*\0'), le32(8), le16(1), le16(0x100, 4), le32(1, 65_535), le32(8)),
    'SVG of 10^9 elements': () =>
      text('<svg xmlns="http://www.w3.org/2000/svg"><!DOCTYPE x [<!ENTITY a "aaaa">]>&a;</svg>'),
  }),
  ...files('either', {
    'PNG with 10 MB of zipped text': () => textBomb(),
    'APNG of 1,000 frames': () => png(640, 480, { frames: 1000 }),
    'APNG of 2^31 frames': () => join(PNG_MARK, png(64, 48, { frames: 2 }).subarray(8)),
    'GIF of 20,000 frames': () => gif(16, 16, 20_000),
    'GIF of frames that last 655 s each': () => gif(16, 16, 100, 65_535),
    'GIF whose frames are larger than it': () => gif(16, 16, 4, 4, [8000, 8000]),
    'BMP of 2^31 by 2^31': () =>
      join(text('BM'), le32(100, 0, 54, 40, 0x7fffffff, 0x7fffffff), le16(1, 24), le32(0, 0, 0, 0, 0, 0)),
  }),
];

/** A zTXt chunk with a hundredth of its content (PNG §11.3.4.3). */
function textBomb(): Buffer {
  const whole = png(64, 48);
  const bomb = png(8, 80_000_000 / 2);
  const pixels = bomb.subarray(bomb.indexOf('IDAT') + 4, -16);
  const body = join(text('zTXtComment\0\0'), pixels);
  return join(whole.subarray(0, 33), u32(body.length - 4), body, u32(0), whole.subarray(33));
}

function gif(
  width: number,
  height: number,
  frames: number,
  delay = 4,
  size = [width, height] as readonly number[],
): Buffer {
  const place = le16(0, 0, size[0]!, size[1]!);
  const frame = join(u8(0x21, 0xf9, 4, 1), le16(delay), u8(0, 0, 0x2c), place, u8(0, 2, 2, 0x4c, 1, 0));
  const colours = u8(0x80, 0, 0, 0, 0, 0, 255, 255, 255);
  return join(text('GIF89a'), le16(width, height), colours, times(frames, frame), u8(0x3b));
}

const jpeg = (width: number, height: number) =>
  join(
    u8(0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...Array.from({ length: 64 }, () => 1)),
    ...[u8(0xff, 0xc0, 0, 11, 8), u16(height, width), u8(1, 1, 0x11, 0)],
    u8(0xff, 0xc4, 0, 20, 0, 1, ...Array.from({ length: 15 }, () => 0), 0),
    u8(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0),
    ...[Buffer.alloc(100), u8(0xff, 0xd9)],
  );

function webp(width: number, height: number): Buffer {
  const key = join(u8(0x30, 1, 0, 0x9d, 1, 0x2a), le16(width, height), Buffer.alloc(200));
  const body = join(text('WEBP'), chunk('VP8 ', key));
  return join(text('RIFF'), le32(body.length), body);
}

/** H.264 §7.3.2.1: a baseline picture with this many macroblocks per side. */
const sps = (width: number, height: number): Buffer =>
  new Bits('6742c033')
    .ue(0, 0, 2, 1)
    .u(1, 0)
    .ue(width / 16 - 1, height / 16 - 1)
    .u(4, 0b1100)
    .end();
/** H.264 §7.3.2.2: the first parameter set, with all options off. */
const pps = Buffer.from('68ce3880', 'hex');
/** One gray macroblock, and no data for the others. */
const slice = Buffer.from('6588849380', 'hex');

const avc = (width: number, height: number) => {
  const set = sps(width, height);
  return box('avcC', u8(1, 66, 0xc0, 51, 0xff, 0xe1), u16(set.length), set, u8(1), u16(pps.length), pps);
};

/** The sample table says 320 × 180. The codec's sequence header says this size. */
function lyingSequence(width: number, height: number): Buffer {
  const unit = join(u32(slice.length), slice);
  const entry = picture(320, 180, 'avc1', avc(width, height));
  return pictureMovie({ entry, size: [320, 180], sampleBytes: unit.length }, { data: times(25, unit) });
}

const shaped = (...pixel: readonly [number, number]) =>
  pictureMovie({ entry: picture(64, 48, 'png ', box('pasp', u32(...pixel))) });

const dimensions = [
  ...files('refused', {
    'sequence of 16,000 by 16,000': () => lyingSequence(16_000, 16_000),
    'sequence of 8,192 by 8,192': () => lyingSequence(8192, 8192),
    'raw pictures of 20,000 by 20,000': () =>
      pictureMovie(
        { entry: picture(20_000, 20_000, 'raw '), sampleBytes: 100 },
        { data: Buffer.alloc(2500) },
      ),
  }),
  ...files({ size: [64, 48] }, { 'matrix of nothing': () => pictureMovie({ matrix: Buffer.alloc(36) }) }),
  ...files('either', {
    'sequence of 16,384 by 16,384': () => lyingSequence(16_384, 16_384),
    'sequence of 65,520 by 65,520': () => lyingSequence(65_520, 65_520),
    'sequence of 65,520 by 16': () => lyingSequence(65_520, 16),
    'stsd of 65,535 by 65,535': () => pictureMovie({ entry: picture(65_535, 65_535) }),
    'pixels of which each is 10,000 wide': () => shaped(10_000, 1),
    'pixels of which each is 1 by 2^32': () => shaped(1, 0xffffffff),
    'matrix that turns by 45°': () =>
      pictureMovie({ matrix: u32(46_341, 46_341, 0, -46_341, 46_341, 0, 0, 0, 0x40000000) }),
    'PNG bomb as every picture of a movie': () => {
      const bomb = png(30_000, 30_000);
      const track = { samples: 4, entry: picture(64, 48), sampleBytes: bomb.length };
      return pictureMovie(track, { data: times(4, bomb) });
    },
  }),
];

/** MP3 behind an ID3 tag with these frames: 80 frames of silence. */
const tagged = (...frames: readonly Buffer[]) => join(id3(join(...frames)), mp3Frames(80));
const MP3 = { duration_ms: 2090 };
const coverFrame = (bytes: Buffer) => id3Frame('APIC', join(u8(0), text('image/png\0'), u8(3, 0), bytes));
const commented = (at: number) => id3Frame('TXXX', join(u8(3), text(`k${at}\0v`)));

const covers = [
  ...files(MP3, {
    'MP3 with a cover of 30,000 by 30,000': () => tagged(coverFrame(png(30_000, 30_000))),
    'MP3 with a cover of 65,535 by 65,535': () => tagged(coverFrame(claimed(65_535, 65_535))),
    'MP3 with a cover that is a playlist': () => tagged(coverFrame(text('#EXTM3U\nfile:///etc/passwd\n'))),
  }),
  ...files('either', { 'MP3 with a hundred covers': () => tagged(times(100, coverFrame(png(64, 48)))) }),
  ...files(
    { duration_ms: 1000 },
    {
      'MP4 with a cover of 30,000 by 30,000': () => itunes('covr', join(u32(14, 0), png(30_000, 30_000))),
    },
  ),
];

/** A second of sound with this tag. */
function itunes(name: string, data: Buffer): Buffer {
  const handler = full('hdlr', 0, u32(0), text('mdirappl'), Buffer.alloc(9));
  const list = box('ilst', box(name, box('data', data)));
  return soundMovie({}, { inside: [box('udta', full('meta', 0, handler, list))] });
}
const MILLION = 1 << 20;

/** Long texts, and texts with characters that end lines or change the writing direction. */
const titles: Readonly<Record<string, string>> = {
  'of 2,000 characters': 'Title '.repeat(334),
  'of 1 MB': 'x'.repeat(MILLION),
  'with line separators': 'one\u2028two\u2029three\u0085four\r\nfive',
  'of 1,200 characters and line separators': `${'x'.repeat(600)}\u2028${'y'.repeat(600)}`,
  'of controls': Array.from({ length: 32 }, (_, at) => String.fromCharCode(at)).join('x'),
  'that turns round': '\u202e\u2066gnp.exe\u202e',
  'that is JSON': '"},"streams":[{"codec_type":"video","width":1}],"x":{"',
  'of combining marks': `a${'\u0301'.repeat(5000)}`,
  'of half characters': '\ud83d',
};
const tags = [
  ...Object.entries(titles).flatMap(([kind, title]) => [
    ...files(MP3, {
      [`MP3 with a title ${kind}`]: () => tagged(id3Frame('TIT2', join(u8(3), text(title)))),
    }),
    ...files(
      { duration_ms: 1000 },
      {
        [`MP4 with a title ${kind}`]: () => itunes('\u00a9nam', join(u32(1, 0), text(title))),
        [`Matroska with a title ${kind}`]: () => mkv({ info: [element(0x7ba9, text(title))] }),
      },
    ),
  ]),
  ...files(MP3, {
    'MP3 with 10,000 tags': () => tagged(...Array.from({ length: 10_000 }, (_, at) => commented(at))),
  }),
  ...files({ duration_ms: 1000 }, { 'WAV with a description of 1 MB': () => described(MILLION) }),
  ...files('either', {
    'MP3 whose tag is longer than it': () =>
      join(text('ID3'), u8(4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f), mp3Frames(80)),
    'Matroska with 10 MB of tags': () => {
      const tags = Array.from({ length: 10 }, (_, at) => tag(`T${at}`, 'x'.repeat(MILLION)));
      return mkv({ beside: [element(0x1254c367, ...tags)] });
    },
  }),
  ...files('refused', { 'MP3 with a tag of zeros that is no MP3': () => id3(Buffer.alloc(MILLION)) }),
];

const tag = (name: string, value: string) =>
  element(0x7373, element(0x67c8, element(0x45a3, text(name)), element(0x4487, text(value))));

function described(bytes: number): Buffer {
  const whole = wav();
  const info = chunk('LIST', join(text('INFO'), chunk('ICMT', Buffer.alloc(bytes, 'x'))));
  return join(text('RIFF'), le32(whole.length - 8 + info.length), whole.subarray(8), info);
}

const others = files('refused', {
  ZIP: () => join(text('PK\x03\x04'), Buffer.alloc(1000)),
  PDF: () => text('%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(file:///etc/passwd)>>>>endobj'),
  program: () => join(text('\x7fELF'), Buffer.alloc(1000)),
  gzip: () => join(u8(0x1f, 0x8b, 8), Buffer.alloc(1000)),
  zeros: () => Buffer.alloc(100_000),
  ones: () => Buffer.alloc(100_000, 0xff),
  HEIF: () => join(box('ftyp', text('heic'), u32(0), text('mif1heic')), box('meta', Buffer.alloc(64))),
  'game video': () => join(text('\x01\x00FILM'), Buffer.alloc(4000)),
  'ANSI art': () => join(text('\x1b[2J\x1b[31mred\x1b[1000000C'), Buffer.alloc(100, 0x20)),
});

export const bombs: readonly EvilFile[] = [
  ...[...pictures, ...dimensions],
  ...[...covers, ...tags, ...others],
];
