/** Takes the speech out of a media file, in the one form that every recogniser reads. */
import { stat } from 'node:fs/promises';
import { mediaUnreadable } from '../../platform/shared/job-errors.ts';
import type { AudioStream } from '../../platform/shared/media.ts';
import { openSafely, runFfmpeg } from './ffmpeg.ts';
import type { MediaTools } from './port.ts';

/** PCM, 16 bit little endian, mono, behind a WAV header of 44 bytes, so that any stretch is a range of bytes. */
export const SAMPLE_RATE = 16_000;
const HEADER_BYTES = 44;
const BYTES_PER_MS = (SAMPLE_RATE * 2) / 1000;
/** A 32-bit RIFF length. At 16 kHz it is reached after 37 hours. */
const MAX_WAV_BYTES = 0xffff_0000;

/**
 * Writes `track` of `file` to `out` as WAV and gives its length in milliseconds. The timeline of the media is
 * kept: where the track starts late or has gaps, there is silence. Throws `media_unreadable` for a track
 * without a sound sample.
 */
export async function extractAudio(
  tools: MediaTools,
  file: string,
  track: AudioStream,
  out: string,
  options: { timeout_ms: number; signal?: AbortSignal; onProgress?: (position_ms: number) => void },
): Promise<number> {
  const args = [
    ...openSafely(file),
    ...['-map', `0:${track.index}`, '-map_metadata', '-1', '-vn', '-sn', '-dn'],
    // first_pts pads a late start, async fills gaps longer than .1 s; both count from the container's start.
    ...['-af', `aresample=${SAMPLE_RATE}:async=1:first_pts=0`, '-ac', '1', '-c:a', 'pcm_s16le'],
    // Bit-exact leaves out the chunk that names the encoder: the header then has its 44 bytes.
    ...['-fflags', '+bitexact', '-flags:a', '+bitexact', '-fs', String(MAX_WAV_BYTES)],
    ...['-f', 'wav', `file:${out}`],
  ];
  await runFfmpeg(tools, args, options);
  const duration_ms = Math.floor(((await stat(out)).size - HEADER_BYTES) / BYTES_PER_MS);
  if (duration_ms <= 0) throw mediaUnreadable('The audio track is empty. Export the file again.');
  return duration_ms;
}

/** The bytes of such a WAV file that hold a stretch of time: first and last, inclusive, as a Range header counts. */
export function byteRange(start_ms: number, end_ms: number): { first: number; last: number } {
  return { first: HEADER_BYTES + start_ms * BYTES_PER_MS, last: HEADER_BYTES + end_ms * BYTES_PER_MS - 1 };
}

/** A WAV file of its own for samples that were cut out with `byteRange`. */
export function wavFile(pcm: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}
