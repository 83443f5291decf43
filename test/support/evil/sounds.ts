/** Makes sound and Matroska files byte by byte. */
import { chunk, element, float64, join, le16, le32, text, times, u8, u16, u32 } from './bytes.ts';

interface Wave {
  readonly rate?: number;
  readonly channels?: number;
  readonly bits?: number;
  readonly data?: Buffer;
  /** The stated size, which may differ from the data. */
  readonly stated?: number;
}

/** Default: a second of silence. */
export function wav({
  rate = 8000,
  channels = 1,
  bits = 16,
  data = Buffer.alloc(16_000),
  stated,
}: Wave = {}): Buffer {
  const align = (channels * bits) / 8;
  const form = join(le16(1, channels), le32(rate, rate * align), le16(align, bits));
  const body = join(text('WAVE'), chunk('fmt ', form), chunk('data', data, stated));
  return join(text('RIFF'), le32(stated ?? body.length), body);
}

/** MPEG 1 layer III at 128 kbit/s and 44.1 kHz: 417 bytes, 26 ms. */
const FRAME = join(u8(0xff, 0xfb, 0x90, 0x00), Buffer.alloc(413));
export const mp3Frames = (count: number) => times(count, FRAME);

export function mp3With(tag: 'Xing' | 'VBRI', frames: number, count = 40): Buffer {
  const first = Buffer.from(FRAME);
  if (tag === 'Xing') join(text('Xing'), u32(3, frames, 0x7fffffff)).copy(first, 36);
  else join(text('VBRI'), u16(1, 0, 0), u32(0x7fffffff, frames), u16(0, 1, 2, 1)).copy(first, 36);
  return join(first, mp3Frames(count));
}

/** ID3v2.4 §3.1: sizes have seven bits per byte. */
export const id3 = (body: Buffer) => {
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return join(text('ID3'), u8(4, 0, 0, ...size), body);
};
export const id3Frame = (id: string, body: Buffer) => {
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return join(text(id), u8(...size), u16(0), body);
};

interface Matroska {
  readonly info?: readonly Buffer[];
  readonly beside?: readonly Buffer[];
  /** The stated duration in ms. */
  readonly duration?: number;
  /** The start of each block in ms. Each block is 100 ms of silence. */
  readonly blocks?: readonly number[];
  readonly rate?: number;
  readonly channels?: number;
  readonly tracks?: number;
}

const uint = (value: number) => u32(value);

/** Silence as PCM at 8 kHz. */
export function mkv({
  info = [],
  beside = [],
  duration = 1000,
  blocks = Array.from({ length: 10 }, (_, at) => at * 100),
  rate = 8000,
  channels = 1,
  tracks = 1,
}: Matroska = {}): Buffer {
  const track = (number: number) =>
    element(
      0xae,
      ...[
        element(0xd7, uint(number)),
        element(0x73c5, uint(number)),
        element(0x83, u8(2)),
        element(0x86, text('A_PCM/INT/LIT')),
      ],
      element(0xe1, element(0xb5, float64(rate)), element(0x9f, uint(channels)), element(0x6264, u8(16))),
    );
  const cluster = (at: number) =>
    element(
      0x1f43b675,
      element(0xe7, uint(at)),
      element(0xa3, u8(0x81), u16(0), u8(0x80), Buffer.alloc(1600)),
    );
  return join(
    element(0x1a45dfa3, element(0x4282, text('matroska')), element(0x4287, u8(4)), element(0x4285, u8(2))),
    element(
      0x18538067,
      element(
        0x1549a966,
        element(0x2ad7b1, uint(1_000_000)),
        element(0x4489, float64(duration)),
        element(0x4d80, text('m')),
        element(0x5741, text('w')),
        ...info,
      ),
      element(0x1654ae6b, ...Array.from({ length: tracks }, (_, at) => track(at + 1))),
      ...beside,
      ...blocks.map(cluster),
    ),
  );
}

/**
 * FLAC (RFC 9639) with constant subframes: about 14 bytes per block of up to 65,535 samples. Audio bombs are made of
 * these.
 * @param stated the number of samples in the header
 */
export function flac(blocks: number, samples = 65_535, rate = 8000, stated = blocks * samples): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(samples, 0);
  info.writeUInt16BE(samples, 2);
  info.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(stated), 10);
  const frame = (number: number) => {
    // Fixed block size, stored in 16 bits after the number; the header's sample rate; mono; 16 bits.
    const head = join(u8(0xff, 0xf8, 0x70, 0x08), utf8(number), u16(samples - 1));
    const body = join(head, u8(crc8(head)), u8(0), u16(0));
    return join(body, u16(crc16(body)));
  };
  return join(
    text('fLaC'),
    u8(0x80, 0, 0, 34),
    info,
    ...Array.from({ length: blocks }, (_, at) => frame(at)),
  );
}

const utf8 = (number: number) =>
  number < 0x80
    ? u8(number)
    : number < 0x800
      ? u8(0xc0 | (number >> 6), 0x80 | (number & 63))
      : u8(0xe0 | (number >> 12), 0x80 | ((number >> 6) & 63), 0x80 | (number & 63));

function crc8(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff;
  }
  return crc;
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x8005) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
