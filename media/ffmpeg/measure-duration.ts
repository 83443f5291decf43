/** Finds the real duration of media from their packets. The duration in a header may be wrong. */
import type { JobError } from '../../shared/job-errors.ts';
import { openSafely, runFfprobe, runWithProgress } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

/** Time limits, ms: `SEEK_TIMEOUT_MS` for a seek to the end, `SCAN_TIMEOUT_MS` for reading the whole file if ffmpeg cannot seek in it. */
const SEEK_TIMEOUT_MS = 120_000;
const SCAN_TIMEOUT_MS = 780_000;
const BEYOND_THE_END_S = 10_000_000;

/** Seeks beyond the end of the media. Returns the end of the last packets, ms. Null if ffmpeg cannot seek in the file. */
export async function findPacketEnd(tools: MediaTools, media: OpenMedia, signal?: AbortSignal) {
  const entries = [
    ...['-read_intervals', `${BEYOND_THE_END_S}%`],
    ...['-show_entries', 'packet=pts_time,dts_time,duration_time:format=start_time'],
  ];
  const options = { timeout_ms: SEEK_TIMEOUT_MS, media, signal };
  const answer = await runFfprobe(tools, entries, options).catch(nullIfUnreadable);
  const ends = (answer?.packets ?? []).map(
    ({ pts_time, dts_time, duration_time }) => seconds(pts_time ?? dts_time) + seconds(duration_time),
  );
  const end_s = ends.reduce((latest, end) => Math.max(latest, end), 0);
  const end_ms = Math.round((end_s - seconds(answer?.format?.start_time)) * 1000);
  return end_ms > 0 ? end_ms : null;
}

/** Reads all packets and returns the end of the last one, ms. Needed for WebM from browsers, whose header contains no duration. */
export async function scanToTheEnd(tools: MediaTools, media: OpenMedia, signal?: AbortSignal) {
  const all = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null', '-progress', 'pipe:1', '-'];
  const options = { timeout_ms: SCAN_TIMEOUT_MS, media, signal };
  return (await runWithProgress(tools, [...openSafely(media), ...all], options)).position_ms;
}

/** Sound up to this duration is accepted for media of any size: 20 MB of samples. */
const UNQUESTIONED_MS = 600_000;
/** The fewest bytes a second of any codec, for audible sound and for silence. For example, Opus in WebM has 25 for silence. */
const BYTES_A_SECOND = { heard: 50, silent: 5 };

/** Returns the maximum duration of sound, ms, for media of this size. Without this maximum, a hostile file of 10 kB could contain twelve hours. */
export function longestPlausibleSound(claimed_ms: number, size_bytes: number, max_duration_ms: number) {
  const holds = (bytesASecond: number) => (1000 * size_bytes) / bytesASecond;
  const likely = Math.min(1.1 * claimed_ms, holds(BYTES_A_SECOND.silent));
  return Math.min(
    max_duration_ms,
    Math.round(UNQUESTIONED_MS + Math.max(likely, holds(BYTES_A_SECOND.heard))),
  );
}

/** The maximum difference between the ends of picture and sound in ordinary media. */
const TOLERANCE_MS = 1000;

export interface Claim {
  /** The duration in the header; 0 or null if it has none. */
  readonly claimed_ms: number | null;
  readonly has_video: boolean;
  readonly heard_ms: number;
}

/** Returns the duration of the extracted sound. If the header of a video states another duration, the last packets count, too. */
export async function decideDuration(
  tools: MediaTools,
  media: OpenMedia,
  { claimed_ms, has_video, heard_ms }: Claim,
  signal?: AbortSignal,
): Promise<number> {
  if (!has_video) return heard_ms;
  if (claimed_ms && Math.abs(claimed_ms - heard_ms) <= TOLERANCE_MS) return claimed_ms;
  return Math.max(heard_ms, (await findPacketEnd(tools, media, signal)) ?? 0);
}

export function nullIfUnreadable(error: JobError): null {
  if (error.code === 'media_unreadable') return null;
  throw error;
}

/** Parses seconds as ffprobe prints them. Returns 0 for `N/A`. */
export function seconds(text: string | undefined): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}
