/** Where nobody speaks, and how to cut long audio there. */
import { SAMPLE_RATE } from './audio.ts';

/** A stretch of time, whole milliseconds from the start of the audio. */
export type Interval = { start_ms: number; end_ms: number };
export type Piece = Interval & { index: number };

/** Quieter than this for that long is a pause between sentences rather than a stop within a word. */
const SILENCE_DB = -35;
const SILENCE_S = 0.3;
/** The first sample value that is not as quiet. */
const LOUD = Math.ceil(32768 * 10 ** (SILENCE_DB / 20));

/** Hears samples as they come, and knows where nobody spoke. */
export class Silences {
  readonly #found: Interval[] = [];
  /** Samples so far, and those since the last that was loud. */
  #heard = 0;
  #quiet = 0;

  hear(samples: Int16Array): void {
    for (const sample of samples) {
      this.#heard += 1;
      if (sample < LOUD && sample > -LOUD) this.#quiet += 1;
      else if (this.#quiet > 0) this.#end(1);
    }
  }

  /** All silences, in order, once everything was heard. */
  all(): Interval[] {
    if (this.#quiet > 0) this.#end(0);
    return this.#found;
  }

  /** @param loud samples that are heard and no longer belong to the silence */
  #end(loud: number): void {
    const end = this.#heard - loud;
    const isPause = this.#quiet >= SILENCE_S * SAMPLE_RATE;
    if (isPause) this.#found.push({ start_ms: milliseconds(end - this.#quiet), end_ms: milliseconds(end) });
    this.#quiet = 0;
  }
}

const milliseconds = (samples: number) => Math.floor((samples * 1000) / SAMPLE_RATE);

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
