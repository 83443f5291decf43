/** Takes the speech out of media, in the one form that every recogniser reads. */
import { ffmpegOutput, openSafely } from './ffmpeg.ts';
import type { MediaTools } from './port.ts';
import type { OpenMedia } from './range-reader.ts';

/** PCM, 16 bit little endian, mono, behind a WAV header of 44 bytes, so that any stretch is a range of bytes. */
export const SAMPLE_RATE = 16_000;
export const HEADER_BYTES = 44;
export const BYTES_PER_MS = (SAMPLE_RATE * 2) / 1000;
/** What is decoded before the moment to begin at, and thrown away: codecs need what was before to sound right. */
const LEAD_MS = 5000;

export interface AudioOptions {
  readonly timeout_ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Where to begin; media that are read on by another process. */
  readonly from_ms?: number;
  /** Sound beyond it is left out. */
  readonly max_ms: number;
}

/**
 * The samples of the audio track of that number (from 1), as they are decoded; bytes in whole samples. The timeline of
 * the media is kept: where the track starts late or has gaps, there is silence. Throws a JobError.
 */
export async function* audioOf(
  tools: MediaTools,
  media: OpenMedia,
  number: number,
  { from_ms = 0, max_ms, ...options }: AudioOptions,
): AsyncGenerator<Buffer> {
  const lead_ms = Math.min(LEAD_MS, from_ms);
  const start_ms = from_ms - lead_ms;
  const args = [
    ...(start_ms > 0 ? ['-ss', String(start_ms / 1000)] : []),
    ...['-threads', '1', ...openSafely(media)],
    ...['-map', `0:a:${number - 1}`, '-map_metadata', '-1', '-vn', '-sn', '-dn'],
    // first_pts pads a late start, async fills gaps longer than .1 s; both count from where reading begins.
    ...['-af', `aresample=${SAMPLE_RATE}:async=1:first_pts=0`, '-ac', '1', '-c:a', 'pcm_s16le'],
    ...['-t', String((max_ms - start_ms) / 1000), '-f', 's16le', 'pipe:1'],
    ...(await alsoPicture(media)),
  ];
  let lead = lead_ms * BYTES_PER_MS;
  let odd: Buffer = Buffer.alloc(0);
  for await (const piece of ffmpegOutput(tools, args, { ...options, media })) {
    const bytes = odd.length > 0 ? Buffer.concat([odd, piece]) : piece;
    const whole = bytes.subarray(Math.min(lead, bytes.length), bytes.length & ~1);
    lead -= Math.min(lead, bytes.length & ~1);
    odd = bytes.subarray(bytes.length & ~1);
    if (whole.length > 0) yield whole;
  }
}

/**
 * ffmpeg counts the time of these formats from the first stream that it reads, so that the sound would begin at once although
 * the picture began before it (`correct_input_start_times`). So it reads the picture as well, which lies between anyway, and
 * throws it away.
 */
export const alsoPicture = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:v:0?', '-c:v', 'copy', '-f', 'null', '-'] : [];

/** Transport streams (packets of 188 bytes, or 192 with a time before each) and program streams; ISO/IEC 13818-1. */
async function isMpegStream(media: OpenMedia): Promise<boolean> {
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
