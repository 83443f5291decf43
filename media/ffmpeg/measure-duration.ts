/** How long media really are: where their packets end, whatever a header claims. */
import type { JobError } from '../../shared/job-errors.ts';
import type { MediaTools } from './media-tools.ts';
import { openSafely, runFfprobe, runWithProgress } from './run-ffmpeg.ts';
import type { OpenMedia } from './serve-ranges.ts';

type Packet = { pts_time?: string; dts_time?: string; duration_time?: string };
type Answer = { packets?: Packet[]; format?: { start_time?: string } };

/** Time to find the end; and to read all of a file that cannot be sought. */
const SEEK_TIMEOUT_MS = 120_000;
const SCAN_TIMEOUT_MS = 780_000;
/** Later than any media end. */
const BEYOND_THE_END_S = 10_000_000;

/**
 * Where the last packets end that a seek beyond the end finds, milliseconds from where the timeline begins; null where
 * the file cannot be sought.
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

/** Where the last packet ends, by reading all of them. Browsers record WebM without saying how long it is. */
export async function scanToTheEnd(
  tools: MediaTools,
  media: OpenMedia,
  signal?: AbortSignal,
): Promise<number> {
  const all = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null', '-progress', 'pipe:1', '-'];
  const options = { timeout_ms: SCAN_TIMEOUT_MS, media, signal };
  return (await runWithProgress(tools, [...openSafely(media), ...all], options)).position_ms;
}

/** What a lie about the duration may be worth: 20 MB of samples. */
const UNQUESTIONED_MS = 600_000;
/** Less than any codec needs for sound; and less than one that is told of silence needs, Opus in WebM: 25. */
const BYTES_A_SECOND = { heard: 50, silent: 5 };

/**
 * So much sound may come out of media of that size which claim that duration (0: nothing says). Ten kilobytes can be made to last twelve
 * hours, by gaps between times or by blocks of one value; files that people made are far below it.
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

/** By how much picture and sound of media as they come may end apart. */
const TOLERANCE_MS = 1000;

export interface Claim {
  /** What the header says; 0 or null where it says nothing. */
  readonly claimed_ms: number | null;
  readonly has_video: boolean;
  /** What was extracted. */
  readonly heard_ms: number;
}

/** What was extracted decides; where there is a picture that claims to end elsewhere, its packets tell. */
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
