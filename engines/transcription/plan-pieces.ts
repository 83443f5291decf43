/** Cuts long audio where nobody speaks, into pieces that are transcribed side by side. */
import type { Interval, SoundMap } from '../../shared/sound.ts';

export type Piece = Interval & { index: number };

/**
 * An execution of Step Functions has room for 25,000 events, which an ingest's pictures and voice overs share
 * (test/infra/history.test.ts); a piece takes 13, and each time it is repeated three more.
 */
export const MOST_PIECES = 500;

/** What one piece may be at most: how long, and how much of it speech. */
export type PieceLimits = { max_ms?: number; max_speech_ms?: number };

/**
 * Pieces that cover the whole duration in order, without gap or overlap. A piece takes as many utterances as the limits
 * allow, and ends in the middle of the pause behind them. Only an utterance that is longer than a limit is cut itself.
 */
export function planPieces(
  { duration_ms, utterances }: Pick<SoundMap, 'duration_ms' | 'utterances'>,
  { max_ms = Number.POSITIVE_INFINITY, max_speech_ms = Number.POSITIVE_INFINITY }: PieceLimits,
): Piece[] {
  const pieces: Piece[] = [];
  for (let start_ms = 0; start_ms < duration_ms; ) {
    const full_ms = Math.min(start_ms + max_ms, filledAt(utterances, start_ms, max_speech_ms));
    const end_ms = full_ms < duration_ms ? pauseBefore(utterances, start_ms, full_ms) : duration_ms;
    pieces.push({ index: pieces.length, start_ms, end_ms });
    start_ms = end_ms;
  }
  return pieces;
}

/** The utterances of a piece, or the parts of them that are in it. */
export function utterancesIn(piece: Interval, utterances: readonly Interval[]): Interval[] {
  return utterances
    .map(({ start_ms, end_ms }) => ({
      start_ms: Math.max(start_ms, piece.start_ms),
      end_ms: Math.min(end_ms, piece.end_ms),
    }))
    .filter(({ start_ms, end_ms }) => end_ms > start_ms);
}

/** When the utterance begins with which a piece from `start_ms` would have more speech than allowed; infinite if none. */
function filledAt(utterances: readonly Interval[], start_ms: number, max_speech_ms: number): number {
  let speech_ms = 0;
  for (const utterance of utterances) {
    if (utterance.end_ms <= start_ms) continue;
    const from_ms = Math.max(utterance.start_ms, start_ms);
    const isFirst = speech_ms === 0;
    speech_ms += utterance.end_ms - from_ms;
    if (speech_ms > max_speech_ms) return isFirst ? from_ms + max_speech_ms : from_ms;
  }
  return Number.POSITIVE_INFINITY;
}

/** The middle of the last pause before `at_ms`, or its end where the piece begins behind the middle; else `at_ms` itself. */
function pauseBefore(utterances: readonly Interval[], start_ms: number, at_ms: number): number {
  const within = utterances.findLastIndex((utterance) => utterance.start_ms < at_ms);
  const isInside = within >= 0 && utterances[within]!.end_ms > at_ms;
  const next = isInside ? within : within + 1;
  const from_ms = utterances[next - 1]?.end_ms ?? 0;
  const to_ms = utterances[next]?.start_ms ?? Number.POSITIVE_INFINITY;
  const middle_ms = Math.round((from_ms + to_ms) / 2);
  const cut_ms = middle_ms > start_ms ? middle_ms : to_ms;
  return cut_ms > start_ms ? Math.min(cut_ms, at_ms) : at_ms;
}
