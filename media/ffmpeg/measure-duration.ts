/** Finds the real duration of media from their packets. A header may claim a wrong one. */
import type { JobError } from '../../shared/job-errors.ts';
import type { MediaTools } from './media-tools.ts';
import { openSafely, runFfprobe, runWithProgress } from './run-ffmpeg.ts';
import type { OpenMedia } from './serve-ranges.ts';

type Packet = { pts_time?: string; dts_time?: string; duration_time?: string };
type Answer = { packets?: Packet[]; format?: { start_time?: string } };

/** Time limits for finding the end, and for reading all of a file in which ffmpeg cannot seek. */
const SEEK_TIMEOUT_MS = 120_000;
const SCAN_TIMEOUT_MS = 780_000;
/** A position later than the end of any media. */
const BEYOND_THE_END_S = 10_000_000;

/**
 * Seeks beyond the end and returns the end of the last packets, in milliseconds from the start of the timeline. Null if
 * ffmpeg cannot seek in the file.
 */
export async function findPacketEnd(
  tools: MediaTools,
  media: OpenMedia,
  signal?: AbortSignal,
): Promise<number | null> {
  const entries = [
    ...['-read_intervals', `${BEYOND_THE_END_S}%`],
    ...['-show_entries', 'packet=pts_time,dts_time,duration_time:format=start_time'],
  ];
  const options = { timeout_ms: SEEK_TIMEOUT_MS, media, signal };
  const answer = (await runFfprobe(tools, entries, options).catch(unlessUnreadable)) as Answer | null;
  const ends = (answer?.packets ?? []).map(
    ({ pts_time, dts_time, duration_time }) => seconds(pts_time ?? dts_time) + seconds(duration_time),
  );
  const end_s = ends.reduce((latest, end) => Math.max(latest, end), 0);
  const end_ms = Math.round((end_s - seconds(answer?.format?.start_time)) * 1000);
  return end_ms > 0 ? end_ms : null;
}

/** Reads all packets and returns the end of the last one, ms. Needed for WebM from browsers, which states no duration. */
export async function scanToTheEnd(
  tools: MediaTools,
  media: OpenMedia,
  signal?: AbortSignal,
): Promise<number> {
  const all = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null', '-progress', 'pipe:1', '-'];
  const options = { timeout_ms: SCAN_TIMEOUT_MS, media, signal };
  return (await runWithProgress(tools, [...openSafely(media), ...all], options)).position_ms;
}

/** The most sound that a false duration may cause: 20 MB of samples. */
const UNQUESTIONED_MS = 600_000;
/** Fewer bytes than any codec needs for sound, and for silence. Opus in WebM needs 25 for silence. */
const BYTES_A_SECOND = { heard: 50, silent: 5 };

/**
 * The most sound, ms, that media of this size and claimed duration (0: none) can plausibly hold. An attacker can make ten kilobytes last
 * twelve hours, with gaps between times or with blocks of one value. Real files are far below this limit.
 */
export function longestPlausibleSound(
  claimed_ms: number,
  size_bytes: number,
  max_duration_ms: number,
): number {
  const holds = (bytesASecond: number) => (1000 * size_bytes) / bytesASecond;
  const likely = Math.min(1.1 * claimed_ms, holds(BYTES_A_SECOND.silent));
  return Math.min(
    max_duration_ms,
    Math.round(UNQUESTIONED_MS + Math.max(likely, holds(BYTES_A_SECOND.heard))),
  );
}

/** The greatest distance between the ends of picture and sound in ordinary media. */
const TOLERANCE_MS = 1000;

export interface Claim {
  /** The duration in the header; 0 or null if it has none. */
  readonly claimed_ms: number | null;
  readonly has_video: boolean;
  /** The length of the extracted sound. */
  readonly heard_ms: number;
}

/** Uses the length of the extracted sound. If the header claims another end for the picture, its packets decide. */
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

function unlessUnreadable(error: JobError): null {
  if (error.code === 'media_unreadable') return null;
  throw error;
}

function seconds(text: string | undefined): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}
