/** How loud the original is while somebody speaks, and how it gets there. */
import type { Interval } from '../../../shared/sound.ts';

/** Below the speech, dB: it is heard that there is another voice, and not what it says. */
const DUCKED_DB = -15;
/** From loud to soft and back. */
export const FADE_MS = 150;
/** Shorter pauses are bridged: sound that comes and goes with each sentence is noticed. */
export const BRIDGED_MS = 700;

/** What is left of the original below speech, as a factor. */
export const floorOf = (mute: boolean): number => (mute ? 0 : 10 ** (DUCKED_DB / 20));

/** Joins intervals that overlap or lie close; those given are in order of their start. */
export function bridged(spans: readonly Interval[]): Interval[] {
  const joined: Interval[] = [];
  for (const { start_ms, end_ms } of spans) {
    const last = joined.at(-1);
    if (last && start_ms - last.end_ms < BRIDGED_MS) last.end_ms = Math.max(last.end_ms, end_ms);
    else joined.push({ start_ms, end_ms });
  }
  return joined;
}

/** The factor at a distance from the nearest speech, milliseconds: half a cosine, which has no corner to hear. */
export function gainAt(distance_ms: number, floor: number): number {
  if (distance_ms <= 0) return floor;
  if (distance_ms >= FADE_MS) return 1;
  return floor + (1 - floor) * 0.5 * (1 - Math.cos((Math.PI * distance_ms) / FADE_MS));
}
