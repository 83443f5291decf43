/** How long media may be that are spoken over. */

/**
 * The sound of an hour takes 257 s of a processor to mix, and half as much again where it has to be written a second time; a step has 900 s.
 * Decision 43. Milliseconds.
 */
export const LONGEST_MS = 2 * 3_600_000;

/** Why media of that length are not spoken over; null where they can be, or nobody knows how long they are. */
export function whyTooLong(duration_ms: number | null): string | null {
  if (duration_ms === null || duration_ms <= LONGEST_MS) return null;
  const minutes = Math.ceil(duration_ms / 60_000);
  return `The media last ${minutes} minutes, and media of ${LONGEST_MS / 60_000} minutes at most are spoken over. Cut them into shorter assets.`;
}
