/** When cues are on screen: the times that somebody set, and those of speech, moved as little as reading needs. */

import type { SubtitleLimits } from './limits.ts';
import { neededMs, type Span, type Spoken } from './reading-time.ts';
import { type Room, showFreely } from './time-free-cues.ts';
import { type HeldGroup, heldGroups, showHeld } from './time-set-cues.ts';

/** How long an automatic cue waits for set ones that are where it belongs. Beyond that it shares their time. */
const MAX_WAIT_MS = 4000;

/**
 * The times at which what is spoken is shown, for phrases in the order of their starts; no two overlap, each lasts
 * at least a millisecond, and none is beyond the end of the media. What is held is placed first, within its own times
 * (`set-times.ts`). Everything else is shown in the rooms between (`free-times.ts`): where a set cue is in its place it
 * waits. Only where there is no room for it nearby does it share the time of the set ones.
 */
export function showWhen(
  spoken: readonly Spoken[],
  limits: SubtitleLimits,
  mediaEnd = Number.MAX_SAFE_INTEGER,
): Span[] {
  const end = Math.max(mediaEnd, spoken.length);
  const held = heldGroups(spoken, limits, end);
  const rooms = roomsBetween(held, limits, end).map((room) => ({ ...room, places: [] as number[] }));
  let at = 0;
  // Up to where set ones share their time: whoever speaks there after one that does not wait does not wait either.
  let shared_ms = 0;
  spoken.forEach((phrase, place) => {
    if (phrase.held) return;
    const start_ms = Math.min(phrase.start_ms, end - 1);
    while (at < rooms.length - 1 && rooms[at]!.end_ms <= start_ms) at++;
    const room =
      start_ms < shared_ms ? undefined : roomFor(start_ms, neededMs(phrase.columns, limits), rooms, at);
    if (room) {
      room.places.push(place);
      // Whoever speaks later is not shown before one that waits.
      at = rooms.indexOf(room, at);
      return;
    }
    const until = rooms[at];
    if (until && until.start_ms > start_ms) shared_ms = until.start_ms - limits.min_ms;
    held.push(sharing(phrase, place, start_ms, until, limits, end));
  });

  const shown: Span[] = [];
  for (const { place, ...span } of showHeld(held, spoken, limits)) shown[place] = span;
  for (const { places, ...room } of rooms) {
    const phrases = places.map((place) => spoken[place]!);
    showFreely(phrases, limits, room).forEach((span, i) => {
      shown[places[i]!] = span;
    });
  }
  return apart(shown, end);
}

/**
 * Where no cue is held: two frames from those that are, if that leaves time for a cue. One that is shorter by up to a half
 * is better than one that comes too late.
 */
function roomsBetween(
  held: readonly HeldGroup[],
  { gap_ms, min_ms }: SubtitleLimits,
  mediaEnd: number,
): (Room & { capacity: number })[] {
  const rooms: (Room & { capacity: number })[] = [];
  let free = 0;
  const add = (until: number) => {
    const isFollowed = until < mediaEnd;
    const apart = { start_ms: free === 0 ? 0 : free + gap_ms, end_ms: isFollowed ? until - gap_ms : until };
    const capacity = Math.floor((apart.end_ms - apart.start_ms + gap_ms) / (min_ms + gap_ms));
    const holdsOne = until - free >= min_ms / 2;
    if (capacity > 0) rooms.push({ ...apart, isFollowed, capacity });
    else if (free < until)
      rooms.push({ start_ms: free, end_ms: until, isFollowed, capacity: holdsOne ? 1 : 0 });
  };
  for (const { window } of held.toSorted((one, other) => one.window.start_ms - other.window.start_ms)) {
    if (window.start_ms > free) add(window.start_ms);
    free = Math.max(free, window.end_ms);
  }
  add(mediaEnd);
  return rooms;
}

/**
 * The first room from where it may be that holds one more, or else the one it is spoken in, or others wait in. One that leaves
 * less than half of the time to read it is passed over for a later one that leaves all of it.
 */
function roomFor<Some extends Room & { capacity: number; places: readonly number[] }>(
  start_ms: number,
  needed_ms: number,
  rooms: readonly Some[],
  at: number,
): Some | undefined {
  let first: Some | undefined;
  for (let i = at; i < rooms.length && rooms[i]!.start_ms <= start_ms + MAX_WAIT_MS; i++) {
    const room = rooms[i]!;
    if (room.end_ms <= start_ms || room.places.length >= room.capacity) continue;
    const left_ms = room.end_ms - Math.max(room.start_ms, start_ms);
    if (left_ms >= (first ? needed_ms : needed_ms / 2)) return room;
    first ??= room;
  }
  if (first) return first;
  const own = rooms[at];
  const isThere = own && own.start_ms <= start_ms && start_ms < own.end_ms;
  const othersWait = own && own.start_ms > start_ms && own.places.length > 0;
  return isThere || othersWait ? own : undefined;
}

/** A cue that is spoken while set ones are on screen, with its own times and no more. */
function sharing(
  { start_ms: spoken_ms, end_ms }: Spoken,
  place: number,
  start_ms: number,
  room: Room | undefined,
  limits: SubtitleLimits,
  mediaEnd: number,
): HeldGroup {
  const until = room && room.start_ms > start_ms ? room.start_ms : mediaEnd;
  const wanted = Math.max(end_ms - spoken_ms, limits.min_ms);
  return { places: [place], window: { start_ms, end_ms: Math.min(start_ms + wanted, until) } };
}

/**
 * The last resort, for times that leave whole milliseconds too few: in order of their starts, each begins after the one
 * before and ends before the next, within the media.
 */
function apart(shown: readonly Span[], mediaEnd: number): Span[] {
  const cues = shown.map((span) => ({ ...span }));
  const inOrder = cues.toSorted((one, other) => one.start_ms - other.start_ms);
  let free = 0;
  for (const cue of inOrder) {
    cue.start_ms = Math.max(cue.start_ms, free);
    cue.end_ms = Math.max(cue.end_ms, cue.start_ms + 1);
    free = cue.end_ms;
  }
  let until = mediaEnd;
  for (const cue of inOrder.reverse()) {
    cue.end_ms = Math.min(cue.end_ms, until);
    cue.start_ms = Math.min(cue.start_ms, cue.end_ms - 1);
    until = cue.start_ms;
  }
  return cues;
}
