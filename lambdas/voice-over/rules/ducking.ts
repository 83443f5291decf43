/** The level of the original sound during speech, and the fades around it. */
import type { Interval } from '../../../shared/sound.ts';

/** The level of the original during speech, dB. Listeners hear that someone speaks, but do not understand the words. */
const DUCKED_DB = -15;
export const FADE_MS = 150;
/** In pauses shorter than this, the original stays soft. Sound that starts and stops with each sentence disturbs. */
export const BRIDGED_MS = 700;

/** The gain of the original during speech, as a factor. */
export const floorOf = (mute: boolean): number => (mute ? 0 : 10 ** (DUCKED_DB / 20));

/** Joins spans that overlap or are close to each other. The spans must be ordered by start. */
export function bridgePauses(spans: readonly Interval[]): Interval[] {
  const joined: Interval[] = [];
  for (const { start_ms, end_ms } of spans) {
    const last = joined.at(-1);
    if (last && start_ms - last.end_ms < BRIDGED_MS) last.end_ms = Math.max(last.end_ms, end_ms);
    else joined.push({ start_ms, end_ms });
  }
  return joined;
}

/** The gain at a distance from the nearest speech, ms. The curve is half a cosine, which has no audible steps. */
export function gainAt(distance_ms: number, floor: number): number {
  if (distance_ms <= 0) return floor;
  if (distance_ms >= FADE_MS) return 1;
  return floor + (1 - floor) * 0.5 * (1 - Math.cos((Math.PI * distance_ms) / FADE_MS));
}
