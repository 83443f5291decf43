/** Cues that nobody placed: the times of speech, moved as little as reading needs. */

import type { SubtitleLimits } from './limits.ts';
import { neededMs, type Span, type Spoken } from './reading-time.ts';

/** From when until when cues may be on screen. */
export type Room = Span & {
  /** Whether another cue begins where it ends, to which a short gap would flicker. */
  isFollowed: boolean;
};

/**
 * The times at which what is spoken is shown, in order. Each lasts as long as its speech, and longer into the
 * silence after it: to be read at ease, and to close a gap that would flicker. Where speech follows too soon
 * to be read at all, it begins earlier in the silence before it, or the next begins later, as far as that one
 * can spare the time (BBC Subtitle Guidelines: a sequence may slip if it is in time again by its end). The
 * shortest time is kept in any case: speech that is faster than cues can follow is shown late, not dropped, or
 * early where the room ends too soon. A room that is too small for all is shared out evenly.
 */
export function showFreely(spoken: readonly Spoken[], given: SubtitleLimits, room: Room): Span[] {
  const limits = affordable(spoken.length, given, room);
  const slots = slotsOf(spoken, limits, room);
  let free = room.start_ms;
  return slots.map((slot, i): Span => {
    const next = slots[i + 1];
    const start_ms = Math.min(Math.max(slot.start_ms - slot.lead_ms, free), slot.latest_ms);
    const end_ms = Math.min(endOf(slot, start_ms, next, limits, room), lastEnd(next, limits, room));
    free = end_ms + limits.gap_ms;
    return { start_ms, end_ms };
  });
}

/** The limits with as much of the shortest time and the gap as the room has for so many cues. */
function affordable(count: number, limits: SubtitleLimits, room: Span): SubtitleLimits {
  const asked_ms = count * (limits.min_ms + limits.gap_ms) - limits.gap_ms;
  const share = (room.end_ms - room.start_ms) / asked_ms;
  if (share >= 1) return limits;
  const gap_ms = Math.floor(limits.gap_ms * share);
  return { ...limits, gap_ms, min_ms: Math.max(Math.floor(limits.min_ms * share), 1) };
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
  /** When it begins at the latest, so that it and those after it have the shortest time. */
  latest_ms: number;
};

function slotsOf(spoken: readonly Spoken[], limits: SubtitleLimits, room: Room): Slot[] {
  const slots: Slot[] = [];
  for (let i = spoken.length - 1; i >= 0; i--) {
    const { start_ms, columns } = spoken[i]!;
    const next = slots.at(-1);
    const until_ms = next ? next.start_ms - limits.gap_ms : room.end_ms;
    const needed_ms = neededMs(columns, limits);
    const space = until_ms - start_ms;
    const spare = space - needed_ms + (next?.slip_ms ?? 0);
    slots.push({
      ...spoken[i]!,
      needed_ms,
      until_ms,
      lead_ms: Math.max(
        within(needed_ms - space, limits.lead_ms),
        within(limits.min_ms - space, limits.min_ms),
      ),
      slip_ms: within(spare, limits.slip_ms),
      latest_ms: lastEnd(next, limits, room) - limits.min_ms,
    });
  }
  return slots.reverse();
}

/** When a cue ends at the latest, so that those after it have the shortest time. */
function lastEnd(next: Slot | undefined, limits: SubtitleLimits, room: Room): number {
  return next ? next.latest_ms - limits.gap_ms : room.end_ms;
}

function endOf(
  slot: Slot,
  start_ms: number,
  next: Slot | undefined,
  limits: SubtitleLimits,
  room: Room,
): number {
  const comfortable = Math.ceil((slot.columns * 1000) / limits.columns_per_second);
  const atEase = start_ms + Math.max(comfortable, limits.min_ms);
  // The silence that the next needs for itself is left to it.
  const silent_ms = next ? next.start_ms - next.lead_ms - limits.gap_ms : room.end_ms;
  const wanted = Math.max(slot.end_ms, Math.min(atEase, silent_ms));
  const isFollowed = next !== undefined || room.isFollowed;
  const wouldFlicker = isFollowed && silent_ms - wanted <= limits.flicker_ms - limits.gap_ms;
  const asSpoken = Math.min(wouldFlicker ? Math.max(silent_ms, wanted) : wanted, slot.until_ms);
  const readable = Math.min(start_ms + slot.needed_ms, slot.until_ms + (next?.slip_ms ?? 0));
  const end_ms = Math.max(asSpoken, readable, start_ms + limits.min_ms);
  return Math.min(end_ms, start_ms + limits.max_ms);
}

/** A number of milliseconds, not below zero and not above the most. */
function within(ms: number, most: number): number {
  return Math.min(Math.max(ms, 0), most);
}
