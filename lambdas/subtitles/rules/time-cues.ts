/** Decides when cues are on screen. Set times stay as they are. Automatic times move only as far as reading needs. */
import { itemAt } from '../../../shared/checked-access.ts';
import { neededMs, type Span, type Spoken, type SubtitleLimits } from './limits.ts';
import { type Room, timeFreeCues } from './time-free-cues.ts';
import { groupSetPhrases, type SetGroup, timeSetCues } from './time-set-cues.ts';

/** How long an automatic cue may wait while set cues are on screen, ms. After that, it is shown together with set cues. */
const MAX_WAIT_MS = 4000;

/**
 * Decides when each phrase is shown. The phrases must be ordered by start. No two cues overlap, each cue lasts at least
 * 1 ms, and no cue exceeds the end of the media. Phrases with set times are placed first (`time-set-cues.ts`).
 * Automatic phrases are shown in the free spans between set cues, called rooms (`time-free-cues.ts`). If a set cue
 * takes the time of an automatic cue, the automatic cue waits for the next room. If no room is near, the two cues share
 * the time.
 */
export function timeCues(
  spoken: readonly Spoken[],
  limits: SubtitleLimits,
  mediaEnd = Number.MAX_SAFE_INTEGER,
): Span[] {
  const end = Math.max(mediaEnd, spoken.length);
  const held = groupSetPhrases(spoken, limits, end);
  const rooms = roomsBetween(held, limits, end).map((room) => ({ ...room, places: [] as number[] }));
  let at = 0;
  // Before this time, automatic cues share the time of set cues. Later phrases must not wait, or the order of cues
  // would change.
  let shared_ms = 0;
  spoken.forEach((phrase, place) => {
    if (phrase.held) return;
    const start_ms = Math.min(phrase.start_ms, end - 1);
    while (at < rooms.length - 1 && itemAt(rooms, at).end_ms <= start_ms) at++;
    const room =
      start_ms < shared_ms ? undefined : roomFor(start_ms, neededMs(phrase.columns, limits), rooms, at);
    if (room) {
      room.places.push(place);
      // This phrase waits, and later phrases must not overtake it.
      at = rooms.indexOf(room, at);
      return;
    }
    const until = rooms[at];
    if (until && until.start_ms > start_ms) shared_ms = until.start_ms - limits.min_ms;
    const until_ms = until && until.start_ms > start_ms ? until.start_ms : end;
    const wanted_ms = Math.max(phrase.end_ms - phrase.start_ms, limits.min_ms);
    // The cue shares the time of set cues, for as long as its speech lasts.
    held.push({ places: [place], window: { start_ms, end_ms: Math.min(start_ms + wanted_ms, until_ms) } });
  });

  const shown: Span[] = [];
  for (const { place, ...span } of timeSetCues(held, spoken, limits)) shown[place] = span;
  for (const { places, ...room } of rooms) {
    const phrases = places.map((place) => itemAt(spoken, place));
    timeFreeCues(phrases, limits, room).forEach((span, i) => {
      shown[itemAt(places, i)] = span;
    });
  }
  return separateCues(shown, end);
}

/**
 * The free spans between set cues. A room leaves a gap of two frames on each side, if a cue still fits. Otherwise a
 * room without gaps is used if it lasts half the shortest time of a cue, because a short cue is better than a late one.
 */
function roomsBetween(
  held: readonly SetGroup[],
  { gap_ms, min_ms }: SubtitleLimits,
  mediaEnd: number,
): (Room & { capacity: number })[] {
  const rooms: (Room & { capacity: number })[] = [];
  let free = 0;
  const add = (until: number) => {
    const isFollowed = until < mediaEnd;
    const room = { start_ms: free === 0 ? 0 : free + gap_ms, end_ms: isFollowed ? until - gap_ms : until };
    const capacity = Math.floor((room.end_ms - room.start_ms + gap_ms) / (min_ms + gap_ms));
    const holdsOne = until - free >= min_ms / 2;
    if (capacity > 0) rooms.push({ ...room, isFollowed, capacity });
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
 * The first room from index `at` on that can take another cue. If that room leaves less than half of the reading time,
 * a later room with enough time is preferred. If no room has space: the room at `at` if the cue is spoken in that room
 * or other cues already wait for it.
 */
function roomFor<Some extends Room & { capacity: number; places: readonly number[] }>(
  start_ms: number,
  needed_ms: number,
  rooms: readonly Some[],
  at: number,
): Some | undefined {
  let first: Some | undefined;
  for (let i = at; i < rooms.length && itemAt(rooms, i).start_ms <= start_ms + MAX_WAIT_MS; i++) {
    const room = itemAt(rooms, i);
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

/**
 * Separates cues that still overlap, because the times leave less than a millisecond for each. Each cue starts after
 * the previous one ends. All cues stay within the media.
 */
function separateCues(shown: readonly Span[], mediaEnd: number): Span[] {
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
