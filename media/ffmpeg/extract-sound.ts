/** Takes the speech out of media, in the one form that every recogniser reads. */
import { mediaLimitExceeded, mediaUnreadable } from '../../shared/job-errors.ts';
import { longestPlausibleSound } from './measure-duration.ts';
import type { MediaTools } from './media-tools.ts';
import { ffmpegOutput, openSafely } from './run-ffmpeg.ts';
import type { OpenMedia } from './serve-ranges.ts';

/** PCM, 16 bit little endian, mono, behind a WAV header of 44 bytes, so that any stretch is a range of bytes. */
export const SAMPLE_RATE = 16_000;
export const HEADER_BYTES = 44;
export const BYTES_PER_MS = (SAMPLE_RATE * 2) / 1000;
/** What is decoded before the moment to begin at, and thrown away: codecs need what was before to sound right. */
const LEAD_MS = 5000;
/** What is decoded behind the longest sound, to tell that there is more. */
const BEYOND_MS = 100;

export interface AudioOptions {
  readonly timeout_ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Where to begin; media that are read on by another process. */
  readonly from_ms?: number;
  /** What the media claim to last; 0 where nothing says. */
  readonly claimed_ms: number;
  /** The longest sound that is taken. */
  readonly max_ms: number;
  /** Whether the track has two channels, which one turned round would have cancel each other. */
  readonly isStereo?: boolean;
}

/**
 * The samples of the audio track of that number (from 1), as they are decoded; bytes in whole samples. The timeline of
 * the media is kept: where the track starts late or has gaps, there is silence. Throws a JobError; where there is more sound
 * than that, or than media of their size and claim can have, it says so once it has given that much.
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
    // first_pts pads a late start, async fills gaps longer than .1 s; both count from where reading begins.
    ...['-af', [`aresample=${SAMPLE_RATE}:async=1:first_pts=0`, ...(isStereo ? [mixAndLeft] : [])].join()],
    ...['-ac', isStereo ? '2' : '1', '-c:a', 'pcm_s16le'],
    ...['-t', String((most_ms + BEYOND_MS - start_ms) / 1000), '-f', 's16le', 'pipe:1'],
    ...(await pictureToo(media)),
  ];
  const mono = isStereo ? unturned() : wholeSamples();
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
    `The sound lasts longer than ${most_ms} ms, which so small a file cannot hold${claim}. Its times are damaged: export it again.`,
  );
}

/** Takes bytes as they come, null at their end, and gives those of which the samples are whole. */
type Taking = (piece: Buffer | null) => Buffer;

function wholeSamples(unit = 2): Taking {
  let odd: Buffer = Buffer.alloc(0);
  return (piece) => {
    if (piece === null) return Buffer.alloc(0);
    const bytes = odd.length > 0 ? Buffer.concat([odd, piece]) : piece;
    const end = bytes.length - (bytes.length % unit);
    odd = bytes.subarray(end);
    return bytes.subarray(0, end);
  };
}

/** Both channels mixed as ffmpeg mixes them, and the left one beside it. */
const mixAndLeft = 'pan=stereo|c0=0.5*c0+0.5*c1|c1=c0';

/** Samples that are judged together: 100 ms. */
const BLOCK = SAMPLE_RATE / 10;
/** What the blocks before count for, by block: a second ago, a third. */
const MEMORY = 0.9;
/** A mix that is so much weaker than the left channel is what is left of two that cancel each other: 20 dB. */
const CANCELED = 0.01;

/**
 * One channel of mix and left one: the mix, but the left channel alone where the right one is the same turned round, a fault
 * of wiring that nobody hears on two loudspeakers and that leaves silence in a mix.
 */
function unturned(): Taking {
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
 * ffmpeg counts the time of these formats from the first stream that it reads, so that the sound would begin at once although
 * the picture began before it (`correct_input_start_times`). So it reads the picture as well, which lies between anyway, and
 * throws it away.
 */
export const pictureToo = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:v:0?', '-c:v', 'copy', '-f', 'null', '-'] : [];

/** Transport streams (packets of 188 bytes, or 192 with a time before each) and program streams; ISO/IEC 13818-1. */
export async function isMpegStream(media: OpenMedia): Promise<boolean> {
  const start = await media.read(0, 200);
  const hasSync = (first: number, length: number) => start[first] === 0x47 && start[first + length] === 0x47;
  return hasSync(0, 188) || hasSync(4, 192) || start.subarray(0, 4).equals(PACK_START);
}

const PACK_START = Buffer.from([0, 0, 1, 0xba]);

/** The bytes of such a WAV file that hold a stretch of time: first and last, inclusive, as a Range header counts. */
export function byteRange(start_ms: number, end_ms: number): { first: number; last: number } {
  return { first: HEADER_BYTES + start_ms * BYTES_PER_MS, last: HEADER_BYTES + end_ms * BYTES_PER_MS - 1 };
}

/** A WAV file of its own for samples that were cut out with `byteRange`. */
export const wavFile = (pcm: Uint8Array): Buffer => Buffer.concat([wavHeader(pcm.length), pcm]);

/** The header of so many bytes of samples. */
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

/** The samples of such bytes; they are copied where they do not lie on an even address. */
export function samplesOf(pcm: Uint8Array): Int16Array {
  const aligned = pcm.byteOffset % 2 === 0 ? pcm : Uint8Array.from(pcm);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 1);
}
