/**
 * Decides when the cues of segments with set times are on screen: within these times. If segments overlap, their cues
 * follow each other.
 */
import { defined, itemAt, lastOf } from '../../../shared/checked-access.ts';
import { firstIndexWhere } from '../../../shared/sorted.ts';
import { neededMs, type Span, type Spoken, type SubtitleLimits } from './limits.ts';
import { timeFreeCues } from './time-free-cues.ts';

/** The phrases of one segment, which are shown one after the other. */
export type SetGroup = {
  /** The indexes of the phrases in the whole list, in spoken order. */
  places: readonly number[];
  /** The times within which the cues must stay. */
  window: Span;
};

/** The shortest time of cues is reduced in steps of 1/1024, until overlapping segments fit. */
const SHARES = 1024;

/**
 * Groups the phrases with set times by segment, in order. A segment shorter than 5/6 s keeps its start. It ends later,
 * but before the next set segment begins. No group exceeds the end of the media.
 */
export function groupSetPhrases(
  spoken: readonly Spoken[],
  limits: SubtitleLimits,
  mediaEnd: number,
): SetGroup[] {
  const places = Map.groupBy(spoken.keys(), (place) => defined(spoken[place]).held);
  const spans = [...places.keys()]
    .filter((span) => span !== undefined)
    .sort((one, other) => one.start_ms - other.start_ms);
  return spans.map((span) => {
    const next = spans[firstIndexWhere(spans, ({ start_ms }) => start_ms >= span.end_ms)];
    const window = windowOf(span, next?.start_ms ?? mediaEnd, limits, mediaEnd);
    return { places: defined(places.get(span)), window };
  });
}

function windowOf(span: Span, nextStart: number, { min_ms }: SubtitleLimits, mediaEnd: number): Span {
  const isThere = span.start_ms < mediaEnd;
  const start_ms = isThere ? span.start_ms : Math.max(mediaEnd - min_ms, 0);
  const borrowed = Math.min(start_ms + min_ms, nextStart);
  return { start_ms, end_ms: Math.min(Math.max(span.end_ms, borrowed, start_ms + 1), mediaEnd) };
}

/** The times of a phrase on screen, and its index in the whole list. */
export type SetCue = Span & { place: number };

/**
 * The cues of groups. The cues of a group fill its window from start to end. If the windows of groups overlap, the
 * groups are shown one after the other, in the order of their starts. Each group ends where the next begins. An
 * exception: if one group would be too short to read, it takes time from a group that can spare some.
 */
export function timeSetCues(
  groups: readonly SetGroup[],
  spoken: readonly Spoken[],
  limits: SubtitleLimits,
): SetCue[] {
  const inOrder = groups
    .map((group) => demandOf(group, spoken, limits))
    .sort(
      (one, other) =>
        one.window.start_ms - other.window.start_ms || itemAt(one.places, 0) - itemAt(other.places, 0),
    );
  const shown: SetCue[] = [];
  for (let from = 0; from < inOrder.length; ) {
    const to = endOfOverlap(inOrder, from);
    const overlapping = inOrder.slice(from, to);
    const spans = overlapping.length === 1 ? [itemAt(overlapping, 0).window] : shareTime(overlapping, limits);
    spans.forEach((span, i) => {
      for (const cue of fillSpan(span, itemAt(overlapping, i), limits)) shown.push(cue);
    });
    from = to;
  }
  return shown.map((cue, i) => withGap(cue, shown[i + 1], limits));
}

type Demand = SetGroup & {
  phrases: readonly Spoken[];
  /** How long a reader needs for the cues of the group, including the gaps. */
  needed_ms: number;
};

function demandOf(group: SetGroup, spoken: readonly Spoken[], limits: SubtitleLimits): Demand {
  const phrases = group.places.map((place) => defined(spoken[place]));
  const read_ms = phrases.reduce((sum, { columns }) => sum + neededMs(columns, limits), 0);
  return { ...group, phrases, needed_ms: read_ms + (group.places.length - 1) * limits.gap_ms };
}

const shortestOf = ({ places }: SetGroup, { min_ms, gap_ms }: SubtitleLimits): number =>
  places.length * (min_ms + gap_ms) - gap_ms;

/** The index after the last group that overlaps, directly or through other groups, with the group at `from`. */
function endOfOverlap(groups: readonly SetGroup[], from: number): number {
  let reach = defined(groups[from]).window.end_ms;
  let to = from + 1;
  while (to < groups.length && defined(groups[to]).window.start_ms < reach) {
    reach = Math.max(reach, defined(groups[to]).window.end_ms);
    to++;
  }
  return to;
}

/** The cues of one group. Their times are scaled from the group's window to a span. */
function fillSpan(span: Span, { places, phrases, window }: Demand, limits: SubtitleLimits): SetCue[] {
  const share = (span.end_ms - span.start_ms) / Math.max(window.end_ms - window.start_ms, 1);
  const moved = (ms: number) => span.start_ms + Math.round((ms - window.start_ms) * share);
  const scaled = phrases.map(({ start_ms, end_ms, columns }): Spoken => {
    return { start_ms: moved(start_ms), end_ms: moved(end_ms), columns };
  });
  const cues = timeFreeCues(scaled, limits, { ...span, isFollowed: false });
  itemAt(cues, 0).start_ms = span.start_ms;
  lastOf(cues).end_ms = span.end_ms;
  return cues.map((cue, nth) => ({
    place: defined(places[nth]),
    start_ms: Math.max(cue.start_ms, span.start_ms),
    end_ms: cue.end_ms,
  }));
}

function shareTime(groups: readonly Demand[], given: SubtitleLimits): Span[] {
  const limits = reducedLimits(groups, given);
  const { gap_ms } = limits;
  // For each group, the latest end that leaves all later groups their shortest time.
  const latest = endsBefore(groups, gap_ms, (group) => shortestOf(group, limits));
  // For each group, the latest end that leaves all later groups their reading time.
  const roomy = endsBefore(groups, gap_ms, ({ needed_ms }) => needed_ms);
  let free = 0;
  return groups.map((group, i): Span => {
    const { window, needed_ms } = group;
    const shortest_ms = shortestOf(group, limits);
    const start_ms = Math.min(Math.max(window.start_ms, free), itemAt(latest, i) - shortest_ms);
    const next = groups[i + 1]?.window.start_ms ?? Number.POSITIVE_INFINITY;
    const alone = Math.min(window.end_ms, next - gap_ms);
    const readable = Math.min(start_ms + needed_ms, itemAt(roomy, i));
    const end_ms = Math.min(Math.max(alone, readable, start_ms + shortest_ms), itemAt(latest, i));
    free = end_ms + gap_ms;
    return { start_ms, end_ms };
  });
}

function endsBefore(groups: readonly Demand[], gap_ms: number, time: (group: Demand) => number): number[] {
  const ends: number[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const group of groups.toReversed()) {
    last = Math.min(last, group.window.end_ms);
    ends.push(last);
    last -= time(group) + gap_ms;
  }
  return ends.reverse();
}

/** The limits with a reduced shortest time and gap. They are as large as possible, but all groups fit their windows. */
function reducedLimits(groups: readonly SetGroup[], limits: SubtitleLimits): SubtitleLimits {
  const shareOf = (parts: number): SubtitleLimits => ({
    ...limits,
    min_ms: Math.max(Math.floor((limits.min_ms * parts) / SHARES), 1),
    gap_ms: Math.floor((limits.gap_ms * parts) / SHARES),
  });
  let enough = 0;
  let tooMuch = SHARES + 1;
  while (tooMuch - enough > 1) {
    const middle = (enough + tooMuch) >> 1;
    if (allFit(groups, shareOf(middle))) enough = middle;
    else tooMuch = middle;
  }
  return shareOf(enough);
}

function allFit(groups: readonly SetGroup[], limits: SubtitleLimits): boolean {
  let free = 0;
  return groups.every((group) => {
    const end_ms = Math.max(group.window.start_ms, free) + shortestOf(group, limits);
    free = end_ms + limits.gap_ms;
    return end_ms <= group.window.end_ms;
  });
}

/** Leaves the gap (two frames) before the next cue, unless the cue would become too short. */
function withGap(cue: SetCue, next: Span | undefined, { gap_ms, min_ms }: SubtitleLimits): SetCue {
  const { start_ms, end_ms } = cue;
  if (next === undefined || end_ms > next.start_ms) return cue;
  const shortest = Math.min(end_ms, start_ms + min_ms);
  return { ...cue, end_ms: Math.min(end_ms, Math.max(next.start_ms - gap_ms, shortest)) };
}
