/** Decides when automatic cues are on screen: at the times of their speech, moved only as far as reading needs. */
import { itemAt } from '../../../shared/checked-access.ts';
import { neededMs, type Span, type Spoken, type SubtitleLimits } from './limits.ts';

export type Room = Span & {
  /** Whether another cue begins at the end of the room. A short gap before that cue would flicker. */
  isFollowed: boolean;
};

/**
 * Decides when each phrase is shown, in order. A cue lasts as long as its speech. It can continue into the silence
 * after the speech, to be easy to read and to avoid a flicker. If the next speech follows too soon, the cue begins
 * earlier, in the silence before it. Or the next cue begins later, if it has time to spare. BBC Subtitle Guidelines: a
 * sequence may be late if it is in time again at its end.
 *
 * Every cue has at least the shortest time. Speech that is too fast is shown late, but never dropped. It is shown early
 * if the room ends too soon. If the room is too small for all cues, they divide it evenly.
 */
export function timeFreeCues(spoken: readonly Spoken[], given: SubtitleLimits, room: Room): Span[] {
  const frame: Frame = { limits: reducedLimits(spoken.length, given, room), room };
  const slots = slotsOf(spoken, frame);
  let free = room.start_ms;
  return slots.map((slot, i): Span => {
    const next = slots[i + 1];
    const start_ms = Math.min(Math.max(slot.start_ms - slot.lead_ms, free), slot.latest_ms);
    const end_ms = Math.min(endOf(slot, start_ms, next, frame), lastEnd(next, frame));
    free = end_ms + frame.limits.gap_ms;
    return { start_ms, end_ms };
  });
}

/** The limits with a reduced shortest time and gap, so that the room has space for all cues. */
function reducedLimits(count: number, limits: SubtitleLimits, room: Span): SubtitleLimits {
  const asked_ms = count * (limits.min_ms + limits.gap_ms) - limits.gap_ms;
  const share = (room.end_ms - room.start_ms) / asked_ms;
  if (share >= 1) return limits;
  const gap_ms = Math.floor(limits.gap_ms * share);
  return { ...limits, gap_ms, min_ms: Math.max(Math.floor(limits.min_ms * share), 1) };
}

type Frame = { limits: SubtitleLimits; room: Room };

type Slot = Spoken & {
  /** How long a reader needs for the cue. */
  needed_ms: number;
  /** The latest end that does not delay the next cue. */
  until_ms: number;
  /** How much earlier than its speech the cue must begin to be readable. */
  lead_ms: number;
  /** How much later than its speech the cue may begin, if later cues are to stay readable. */
  slip_ms: number;
  /** The latest start that leaves the shortest time for this cue and all later cues. */
  latest_ms: number;
};

function slotsOf(spoken: readonly Spoken[], frame: Frame): Slot[] {
  const { limits, room } = frame;
  const slots: Slot[] = [];
  for (let i = spoken.length - 1; i >= 0; i--) {
    const { start_ms, columns } = itemAt(spoken, i);
    const next = slots.at(-1);
    const until_ms = next ? next.start_ms - limits.gap_ms : room.end_ms;
    const needed_ms = neededMs(columns, limits);
    const space = until_ms - start_ms;
    const spare = space - needed_ms + (next?.slip_ms ?? 0);
    slots.push({
      ...itemAt(spoken, i),
      needed_ms,
      until_ms,
      lead_ms: Math.max(
        within(needed_ms - space, limits.lead_ms),
        within(limits.min_ms - space, limits.min_ms),
      ),
      slip_ms: within(spare, limits.slip_ms),
      latest_ms: lastEnd(next, frame) - limits.min_ms,
    });
  }
  return slots.reverse();
}

function lastEnd(next: Slot | undefined, { limits, room }: Frame): number {
  return next ? next.latest_ms - limits.gap_ms : room.end_ms;
}

function endOf(slot: Slot, start_ms: number, next: Slot | undefined, { limits, room }: Frame): number {
  const comfortable = Math.ceil((slot.columns * 1000) / limits.columns_per_second);
  const atEase = start_ms + Math.max(comfortable, limits.min_ms);
  // The next cue may begin early, and then takes the end of the silence.
  const silent_ms = next ? next.start_ms - next.lead_ms - limits.gap_ms : room.end_ms;
  const wanted = Math.max(slot.end_ms, Math.min(atEase, silent_ms));
  const isFollowed = next !== undefined || room.isFollowed;
  const wouldFlicker = isFollowed && silent_ms - wanted <= limits.flicker_ms - limits.gap_ms;
  const asSpoken = Math.min(wouldFlicker ? Math.max(silent_ms, wanted) : wanted, slot.until_ms);
  const readable = Math.min(start_ms + slot.needed_ms, slot.until_ms + (next?.slip_ms ?? 0));
  const end_ms = Math.max(asSpoken, readable, start_ms + limits.min_ms);
  return Math.min(end_ms, start_ms + limits.max_ms);
}

function within(ms: number, most: number): number {
  return Math.min(Math.max(ms, 0), most);
}
