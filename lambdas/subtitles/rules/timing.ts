/** When cues are on screen: the times of speech, moved as little as reading needs. */

import type { SubtitleLimits } from './limits.ts';

/** What is spoken from when to when, whole milliseconds, and how wide it is written on one line. */
export type Spoken = { start_ms: number; end_ms: number; columns: number };

export type Shown = { start_ms: number; end_ms: number };

/** How long so many columns must be on screen to be read at the highest speed, never below the shortest time. */
export function neededMs(columns: number, limits: SubtitleLimits): number {
  const readable = Math.ceil((columns * 1000) / limits.max_columns_per_second);
  return Math.min(Math.max(readable, limits.min_ms), limits.max_ms);
}

/**
 * The times at which what is spoken is shown, in order. Each lasts as long as its speech, and longer into the
 * silence after it: to be read at ease, and to close a gap that would flicker. Where speech follows too soon
 * to be read at all, it begins earlier in the silence before it, or the next begins later, as far as that one
 * can spare the time (BBC Subtitle Guidelines: a sequence may slip if it is in time again by its end). The
 * shortest time is kept in any case: speech that is faster than cues can follow is shown late, not dropped.
 */
export function showWhen(
  spoken: readonly Spoken[],
  limits: SubtitleLimits,
  mediaEnd = Number.MAX_SAFE_INTEGER,
): Shown[] {
  const slots = slotsOf(spoken, limits, mediaEnd);
  let free = 0;
  return slots.map((slot, i): Shown => {
    const next = slots[i + 1];
    const start_ms = Math.max(slot.start_ms - slot.lead_ms, free);
    const end_ms = endOf(slot, start_ms, next, limits, mediaEnd);
    free = end_ms + limits.gap_ms;
    return { start_ms, end_ms };
  });
}

type Slot = Spoken & {
  /** How long it must be on screen to be read. */
  needed_ms: number;
  /** Until when it may be on screen without keeping the next from its time. */
  until_ms: number;
  /** How much earlier than its speech it would have to begin. */
  lead_ms: number;
  /** How much later it may begin, and those after it still be read. */
  slip_ms: number;
};

function slotsOf(spoken: readonly Spoken[], limits: SubtitleLimits, mediaEnd: number): Slot[] {
  const slots: Slot[] = [];
  for (let i = spoken.length - 1; i >= 0; i--) {
    const { start_ms, columns } = spoken[i]!;
    const next = slots.at(-1);
    const until_ms = next ? next.start_ms - limits.gap_ms : mediaEnd;
    const needed_ms = neededMs(columns, limits);
    const room = until_ms - start_ms;
    const spare = room - needed_ms + (next?.slip_ms ?? 0);
    slots.push({
      ...spoken[i]!,
      needed_ms,
      until_ms,
      lead_ms: Math.max(
        within(needed_ms - room, limits.lead_ms),
        within(limits.min_ms - room, limits.min_ms),
      ),
      slip_ms: within(spare, limits.slip_ms),
    });
  }
  return slots.reverse();
}

function endOf(
  slot: Slot,
  start_ms: number,
  next: Slot | undefined,
  limits: SubtitleLimits,
  mediaEnd: number,
): number {
  const comfortable = Math.ceil((slot.columns * 1000) / limits.columns_per_second);
  const atEase = start_ms + Math.max(comfortable, limits.min_ms);
  // The silence that the next needs for itself is left to it.
  const silent_ms = next ? next.start_ms - next.lead_ms - limits.gap_ms : mediaEnd;
  const wanted = Math.max(slot.end_ms, Math.min(atEase, silent_ms));
  const wouldFlicker = next !== undefined && silent_ms - wanted <= limits.flicker_ms - limits.gap_ms;
  const asSpoken = Math.min(wouldFlicker ? Math.max(silent_ms, wanted) : wanted, slot.until_ms);
  const readable = Math.min(start_ms + slot.needed_ms, slot.until_ms + (next?.slip_ms ?? 0));
  const end_ms = Math.max(asSpoken, readable, start_ms + limits.min_ms);
  return Math.min(end_ms, start_ms + limits.max_ms);
}

/** A number of milliseconds, not below zero and not above the most. */
function within(ms: number, most: number): number {
  return Math.min(Math.max(ms, 0), most);
}
