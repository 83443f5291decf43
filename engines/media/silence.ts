/** Where nobody speaks, and how to cut long audio there. */
import { openSafely, runFfmpeg } from './ffmpeg.ts';
import type { MediaTools } from './port.ts';

/** A stretch of time, whole milliseconds from the start of the audio. */
export type Interval = { start_ms: number; end_ms: number };
export type Piece = Interval & { index: number };

/** Quieter than this for that long is a pause between sentences rather than a stop within a word. */
const SILENCE_DB = -35;
const SILENCE_S = 0.3;

/** The silences of an audio file, in order. */
export async function findSilences(
  tools: MediaTools,
  file: string,
  duration_ms: number,
  options: { timeout_ms: number; signal?: AbortSignal },
): Promise<Interval[]> {
  const silences: Interval[] = [];
  let start: number | null = null;
  const onLog = (line: string) => {
    const event = /silence_(start|end): (-?[\d.]+)/.exec(line);
    if (!event) return;
    const at = Math.min(duration_ms, Math.max(0, Math.round(Number(event[2]) * 1000)));
    if (event[1] === 'end' && start !== null) silences.push({ start_ms: start, end_ms: at });
    start = event[1] === 'start' ? at : null;
  };
  const filter = `silencedetect=noise=${SILENCE_DB}dB:duration=${SILENCE_S}`;
  await runFfmpeg(tools, [...openSafely(file), '-map', '0:a:0', '-af', filter, '-f', 'null', '-'], {
    ...options,
    onLog,
  });
  if (start !== null) silences.push({ start_ms: start, end_ms: duration_ms });
  return silences;
}

/**
 * Pieces of at most `max_ms` that cover the whole duration in order, without gap or overlap. A piece ends in
 * the middle of the last silence that it can reach in its second half, or of the longest one in its first
 * half; where there is none, at its full length.
 */
export function planPieces(
  duration_ms: number,
  silences: readonly Interval[],
  { max_ms }: { max_ms: number },
): Piece[] {
  const middles = silences
    .map(({ start_ms, end_ms }) => ({ at: Math.round((start_ms + end_ms) / 2), length: end_ms - start_ms }))
    .sort((a, b) => a.at - b.at);
  const pieces: Piece[] = [];
  let start_ms = 0;
  let next = 0;
  while (duration_ms - start_ms > max_ms) {
    const reachable = [];
    for (; next < middles.length && middles[next]!.at <= start_ms + max_ms; next++) {
      if (middles[next]!.at > start_ms) reachable.push(middles[next]!);
    }
    const late = reachable.findLast(({ at }) => at >= start_ms + max_ms / 2);
    const longest = reachable.toSorted((a, b) => b.length - a.length)[0];
    const end_ms = (late ?? longest)?.at ?? start_ms + max_ms;
    pieces.push({ index: pieces.length, start_ms, end_ms });
    start_ms = end_ms;
    // Silences behind an early cut are in reach again.
    while (next > 0 && middles[next - 1]!.at > start_ms) next--;
  }
  if (duration_ms > start_ms) pieces.push({ index: pieces.length, start_ms, end_ms: duration_ms });
  return pieces;
}
