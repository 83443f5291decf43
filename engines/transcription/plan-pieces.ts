/** Splits long audio at pauses into pieces, which are transcribed in parallel. */
import type { Interval, SoundMap } from '../../shared/sound.ts';

export type Piece = Interval & { index: number };

/** An execution may have 25,000 events (test/infra/history.test.ts). Each piece needs 13 events, and 3 more for each retry. */
export const MAX_PIECES = 500;

export type PieceLimits = { max_ms?: number; max_speech_ms?: number };

/** Plans pieces that cover the duration in order, and end in the middle of a pause. Splits an utterance only if it is longer than the limit. */
export function planPieces(
  { duration_ms, utterances }: Pick<SoundMap, 'duration_ms' | 'utterances'>,
  { max_ms = Number.POSITIVE_INFINITY, max_speech_ms = Number.POSITIVE_INFINITY }: PieceLimits,
): Piece[] {
  const pieces: Piece[] = [];
  for (let start_ms = 0; start_ms < duration_ms; ) {
    const full_ms = Math.min(start_ms + max_ms, fullAt(utterances, start_ms, max_speech_ms));
    const end_ms = full_ms < duration_ms ? pauseBefore(utterances, start_ms, full_ms) : duration_ms;
    pieces.push({ index: pieces.length, start_ms, end_ms });
    start_ms = end_ms;
  }
  return pieces;
}

export function utterancesIn(piece: Interval, utterances: readonly Interval[]): Interval[] {
  return utterances
    .map(({ start_ms, end_ms }) => ({
      start_ms: Math.max(start_ms, piece.start_ms),
      end_ms: Math.min(end_ms, piece.end_ms),
    }))
    .filter(({ start_ms, end_ms }) => end_ms > start_ms);
}

/** Returns the start of the utterance that exceeds `max_speech_ms` in a piece from `start_ms`. Infinity if none does. */
function fullAt(utterances: readonly Interval[], start_ms: number, max_speech_ms: number): number {
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

/** Returns the middle of the last pause before `at_ms`. If the middle is not after `start_ms`, returns the end of the pause, or else `at_ms`. */
function pauseBefore(utterances: readonly Interval[], start_ms: number, at_ms: number): number {
  const within = utterances.findLastIndex((utterance) => utterance.start_ms < at_ms);
  const isInside = (utterances[within]?.end_ms ?? 0) > at_ms;
  const next = isInside ? within : within + 1;
  const from_ms = utterances[next - 1]?.end_ms ?? 0;
  const to_ms = utterances[next]?.start_ms ?? Number.POSITIVE_INFINITY;
  const middle_ms = Math.round((from_ms + to_ms) / 2);
  const cut_ms = middle_ms > start_ms ? middle_ms : to_ms;
  return cut_ms > start_ms ? Math.min(cut_ms, at_ms) : at_ms;
}
