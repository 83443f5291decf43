/** Extracts the sound of media in the form that every speech recognizer reads. */
import { mediaLimitExceeded, mediaUnreadable } from '../../shared/job-errors.ts';
import { longestPlausibleSound } from './measure-duration.ts';
import { ffmpegOutput, openSafely } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

/** The format: a WAV header, then 16-bit little endian mono PCM at this rate in hertz. So each time interval is a range of bytes. */
export const SAMPLE_RATE = 16_000;
export const HEADER_BYTES = 44;
export const BYTES_PER_MS = (SAMPLE_RATE * 2) / 1000;
/** Decoding starts this long before the wanted sound, because codecs need earlier packets. The sound before the wanted one is dropped. */
const LEAD_MS = 5000;
/** The duration that is decoded beyond the longest allowed sound, to detect that the sound is too long. */
const BEYOND_MS = 100;

export interface AudioOptions {
  readonly timeout_ms: number;
  readonly signal?: AbortSignal | undefined;
  /** The position where extraction begins. It is above 0 to continue the work of another process. */
  readonly from_ms?: number;
  /** The duration in the header of the media. 0 if the header has none. */
  readonly claimed_ms: number;
  readonly max_ms: number;
  /** Whether the track has two channels. If one of them has inverted polarity, their mix is silent. */
  readonly isStereo?: boolean;
}

/**
 * Yields the samples of an audio track (numbers start at 1) as they are decoded, in whole samples. A late start and gaps become silence,
 * so that the timeline of the media stays the same. Throws a JobError if decoding fails, or if the sound is longer than allowed or than
 * media of this size can be.
 */
export async function* extractSound(
  tools: MediaTools,
  media: OpenMedia,
  number: number,
  { from_ms = 0, claimed_ms, max_ms, isStereo = false, ...options }: AudioOptions,
): AsyncGenerator<Buffer> {
  const most_ms = longestPlausibleSound(claimed_ms, media.size, max_ms);
  let left = (most_ms - from_ms) * BYTES_PER_MS;
  const lead_ms = Math.min(LEAD_MS, from_ms);
  const start_ms = from_ms - lead_ms;
  const args = [
    ...(start_ms > 0 ? ['-ss', String(start_ms / 1000)] : []),
    ...['-threads', '1', ...openSafely(media)],
    ...['-map', `0:a:${number - 1}`, '-map_metadata', '-1', '-vn', '-sn', '-dn'],
    // first_pts adds silence before a late start. async fills gaps longer than 0.1 s. Both options count from the position of the seek.
    ...['-af', [`aresample=${SAMPLE_RATE}:async=1:first_pts=0`, ...(isStereo ? [mixAndLeft] : [])].join()],
    ...['-ac', isStereo ? '2' : '1', '-c:a', 'pcm_s16le'],
    ...['-t', String((most_ms + BEYOND_MS - start_ms) / 1000), '-f', 's16le', 'pipe:1'],
    ...(await pictureToo(media)),
  ];
  const mono = isStereo ? withoutInvertedChannel() : wholeSamples();
  let lead = lead_ms * BYTES_PER_MS;
  for await (const piece of ffmpegOutput(tools, args, { ...options, media })) {
    const bytes = mono(piece);
    const wanted = bytes.subarray(Math.min(lead, bytes.length));
    lead -= bytes.length - wanted.length;
    left -= wanted.length;
    if (left < 0) throw tooLong(most_ms, max_ms, claimed_ms);
    if (wanted.length > 0) yield wanted;
  }
  const rest = mono(null);
  const wanted = rest.subarray(Math.min(lead, rest.length));
  if (wanted.length > 0) yield wanted;
}

function tooLong(most_ms: number, max_ms: number, claimed_ms: number) {
  if (most_ms === max_ms)
    return mediaLimitExceeded(`The sound lasts longer than ${max_ms} ms; no more is processed.`);
  const claim = claimed_ms > 0 ? `, and the file says that it lasts ${claimed_ms} ms` : '';
  return mediaUnreadable(
    `The sound lasts longer than ${most_ms} ms, which a file of this size cannot hold${claim}. Its times are damaged: export it again.`,
  );
}

/** Receives pieces of any length, and null at the end. Returns the bytes of the whole samples received so far. */
type SampleCollector = (piece: Buffer | null) => Buffer;

function wholeSamples(unit = 2): SampleCollector {
  let odd: Buffer = Buffer.alloc(0);
  return (piece) => {
    if (piece === null) return Buffer.alloc(0);
    const bytes = odd.length > 0 ? Buffer.concat([odd, piece]) : piece;
    const end = bytes.length - (bytes.length % unit);
    odd = bytes.subarray(end);
    return bytes.subarray(0, end);
  };
}

/** Two channels: ffmpeg's mix of both channels, and the left channel. */
const mixAndLeft = 'pan=stereo|c0=0.5*c0+0.5*c1|c1=c0';

/** The number of samples in a block: 100 ms. The power of the channels is compared block by block. */
const BLOCK = SAMPLE_RATE / 10;
/** The weight of a block is multiplied by this factor with each later block. After one second, it is a third. */
const MEMORY = 0.9;
/** The channels cancel each other if the power of the mix is below this share of the left channel's power (-20 dB). */
const CANCELED = 0.01;

/** Makes mono from two channels. Uses only the left channel while one channel is the inverse of the other (wrong wiring). */
function withoutInvertedChannel(): SampleCollector {
  const whole = wholeSamples(4);
  let pending: Buffer = Buffer.alloc(0);
  let [mixed, left] = [0, 0];
  return (piece) => {
    const bytes = whole(piece);
    pending = pending.length > 0 ? Buffer.concat([pending, bytes]) : bytes;
    const isEnd = piece === null;
    const frames = isEnd ? pending.length >> 2 : Math.floor((pending.length >> 2) / BLOCK) * BLOCK;
    const samples = samplesOf(pending.subarray(0, frames << 2));
    pending = pending.subarray(frames << 2);
    const mono = new Int16Array(frames);
    for (let from = 0; from < frames; from += BLOCK) {
      const to = Math.min(from + BLOCK, frames);
      [mixed, left] = [mixed * MEMORY, left * MEMORY];
      for (let at = from; at < to; at += 1) {
        mixed += samples[2 * at]! ** 2;
        left += samples[2 * at + 1]! ** 2;
      }
      const channel = mixed < CANCELED * left ? 1 : 0;
      for (let at = from; at < to; at += 1) mono[at] = samples[2 * at + channel]!;
    }
    return Buffer.from(mono.buffer);
  };
}

/**
 * Returns arguments that also read the picture of MPEG streams. ffmpeg counts time from the first stream that it reads
 * (`correct_input_start_times`). Without the picture, sound that starts after the picture would start at 0.
 */
export const pictureToo = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:v:0?', '-c:v', 'copy', '-f', 'null', '-'] : [];

/** Detects the two MPEG streams of ISO/IEC 13818-1: transport streams (packets of 188 bytes, or 192 with a time before each) and program streams. */
export async function isMpegStream(media: OpenMedia): Promise<boolean> {
  const start = await media.read(0, 200);
  const hasSync = (first: number, length: number) => start[first] === 0x47 && start[first + length] === 0x47;
  return hasSync(0, 188) || hasSync(4, 192) || start.subarray(0, 4).equals(PACK_START);
}

const PACK_START = Buffer.from([0, 0, 1, 0xba]);

/** Returns the first and the last byte of a time interval in the WAV file. Both are inclusive, as in a Range header. */
export function byteRange(start_ms: number, end_ms: number): { first: number; last: number } {
  return { first: HEADER_BYTES + start_ms * BYTES_PER_MS, last: HEADER_BYTES + end_ms * BYTES_PER_MS - 1 };
}

export const wavFile = (pcm: Uint8Array): Buffer => Buffer.concat([wavHeader(pcm.length), pcm]);

export function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return header;
}

/** Returns the bytes as samples. Copies the bytes if they start at an odd address. */
export function samplesOf(pcm: Uint8Array): Int16Array {
  const aligned = pcm.byteOffset % 2 === 0 ? pcm : Uint8Array.from(pcm);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 1);
}
