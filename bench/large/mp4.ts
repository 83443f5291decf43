/**
 * Writes an MP4 of any size as a sparse file, with its index at the end. The sound is real, and the picture is a hole
 * in the file.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Shape {
  readonly bytes: number;
  readonly seconds: number;
  /** Picture frames in a row in each chunk. They come before the sound frames. */
  readonly pictures: number;
  /** Sound frames in a row in each chunk. */
  readonly sounds: number;
}

/** Samples in one AAC frame. */
const FRAME = 1024;
const RATE = 48_000;

export function writeSparseMp4(path: string, { bytes, seconds, pictures, sounds }: Shape): void {
  const { frames, video, audio } = ingredients();
  const chunks = Math.floor((seconds * RATE) / (FRAME * sounds));
  const meanSound = (frames.reduce((sum, { length }) => sum + length, 0) / frames.length) * sounds;
  const picture = Math.max(100, Math.floor((bytes / chunks - meanSound) / pictures));
  const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'));
  const file = openSync(path, 'w');
  const places: { video: number[]; audio: number[]; sizes: number[] } = { video: [], audio: [], sizes: [] };
  let at = ftyp.length + 16;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    places.video.push(at);
    at += picture * pictures;
    const together = Array.from({ length: sounds }, (_, i) => frames[(chunk * sounds + i) % frames.length]!);
    places.audio.push(at);
    places.sizes.push(...together.map(({ length }) => length));
    at += writeSync(file, Buffer.concat(together), 0, undefined, at);
  }
  const mdat = Buffer.alloc(16);
  mdat.writeUInt32BE(1, 0);
  mdat.write('mdat', 4, 'latin1');
  mdat.writeBigUInt64BE(BigInt(at - ftyp.length), 8);
  writeSync(file, Buffer.concat([ftyp, mdat]), 0, undefined, 0);
  const unit = (FRAME * sounds) / pictures;
  const tracks = [
    track(1, video, [chunks * pictures, unit], pictures, places.video, [picture], true),
    track(2, audio, [chunks * sounds, FRAME], sounds, places.audio, places.sizes, false),
  ];
  const duration = chunks * sounds * FRAME;
  const mvhd = full(
    'mvhd',
    0,
    numbers(0, 0, RATE, duration, 0x10000, 0x1000000, 0, 0, ...matrix, ...zeros(6), 3),
  );
  const moov = box('moov', mvhd, ...tracks);
  writeSync(file, moov, 0, undefined, at);
  ftruncateSync(file, at + moov.length);
  closeSync(file);
}

/** Returns AAC frames, and the `stsd` boxes of a real file for picture and sound. */
function ingredients() {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-large-'));
  const [mp4, adts] = [join(folder, 'a.mp4'), join(folder, 'a.aac')];
  const demo = join(import.meta.dirname, '../../content/demo/kinora-demo.mp4');
  execFileSync('ffmpeg', ['-v', 'error', '-i', demo, '-t', '30', '-c', 'copy', mp4]);
  execFileSync('ffmpeg', ['-v', 'error', '-i', mp4, '-vn', '-c', 'copy', adts]);
  const [whole, sound] = [readFileSync(mp4), readFileSync(adts)];
  rmSync(folder, { recursive: true });
  return {
    frames: framesIn(sound),
    video: descriptionIn(whole, 'avc1'),
    audio: descriptionIn(whole, 'mp4a'),
  };
}

/** Splits ADTS (ISO/IEC 13818-7 §6.2). A header of 7 bytes has the length of the frame, including the header. */
function framesIn(adts: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + 7 <= adts.length; ) {
    const length = ((adts[at + 3]! & 3) << 11) | (adts[at + 4]! << 3) | (adts[at + 5]! >> 5);
    frames.push(adts.subarray(at + 7, at + length));
    at += length;
  }
  return frames;
}

/** Returns the `stsd` box, which describes a codec. */
function descriptionIn(file: Buffer, codec: string): Buffer {
  for (let at = file.indexOf('stsd'); at >= 0; at = file.indexOf('stsd', at + 4)) {
    const whole = file.subarray(at - 4, at - 4 + file.readUInt32BE(at - 4));
    if (whole.toString('latin1', 20, 24) === codec) return whole;
  }
  throw new Error(`The demo has no ${codec}`);
}

const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const zeros = (count: number) => Array.from({ length: count }, () => 0);

/** Returns a `trak` box, ISO/IEC 14496-12 §8.3. @param sizes one size for all samples, or one for each sample */
function track(
  id: number,
  stsd: Buffer,
  [samples, unit]: readonly [number, number],
  together: number,
  places: readonly number[],
  sizes: readonly number[],
  isVideo: boolean,
): Buffer {
  const duration = samples * unit;
  const size = isVideo ? [1280 << 16, 720 << 16] : [0, 0];
  const tkhd = full('tkhd', 3, numbers(0, 0, id, 0, duration, 0, 0, 0, 0x1000000, ...matrix, ...size));
  const mdhd = full('mdhd', 0, numbers(0, 0, RATE, duration, 0x55c40000));
  const handler = Buffer.from(`\0\0\0\0${isVideo ? 'vide' : 'soun'}${'\0'.repeat(13)}`, 'latin1');
  const head = isVideo ? full('vmhd', 1, Buffer.alloc(8)) : full('smhd', 0, Buffer.alloc(4));
  const dinf = box('dinf', full('dref', 0, numbers(1), full('url ', 1)));
  const co64 = Buffer.alloc(8 * places.length);
  for (const [i, place] of places.entries()) co64.writeBigUInt64BE(BigInt(place), 8 * i);
  const stbl = box(
    'stbl',
    stsd,
    full('stts', 0, numbers(1, samples, unit)),
    full('stsc', 0, numbers(1, 1, together, 1)),
    sizes.length === 1
      ? full('stsz', 0, numbers(sizes[0]!, samples))
      : full('stsz', 0, numbers(0, samples), table(sizes)),
    full('co64', 0, numbers(places.length), co64),
  );
  return box('trak', tkhd, box('mdia', mdhd, full('hdlr', 0, handler), box('minf', head, dinf, stbl)));
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const full = (type: string, flags: number, ...content: Buffer[]) => box(type, numbers(flags), ...content);

const numbers = (...values: number[]) => table(values);

function table(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i);
  return bytes;
}
