/** Applies centers of interest, which users set. They override the spans of the analyses for their time. */
import {
  type AutocenterSpan,
  goesOn,
  type Interval,
  type PathPoint,
  placeAt,
  spansAlong,
} from './autocenter-spans.ts';
import { MAX_ACCELERATION } from './steady-path.ts';

export interface CenterOfInterest extends Interval {
  readonly x: number;
  readonly y: number;
  /** If two centers overlap, the later created one applies. */
  readonly created_at: string;
}

/**
 * Returns the spans with the centers of interest. Within a shot, the frame starts moving before a center of interest
 * begins, so that it arrives in time. It leaves when the center ends. If a center begins at a cut, or too soon after it
 * for a soft transition, it applies from the cut on. The end of a shot works in the same way.
 */
export function withCentersOfInterest(
  spans: readonly AutocenterSpan[],
  centers: readonly CenterOfInterest[],
): AutocenterSpan[] {
  const held = withoutOverlaps(centers);
  return shotsOf(spans).flatMap((shot) => {
    const inside = held.flatMap((center) => clipped(center, shot));
    return inside.length === 0
      ? shot.spans
      : partsOf(shot, inside).flatMap((part, at, all) =>
          part.center === null
            ? automatic(shot, part, all[at - 1]?.center, all[at + 1]?.center)
            : set(part as SetPart, all[at - 1]?.center, all[at + 1]?.center),
        );
  });
}

type Place = Pick<PathPoint, 'x' | 'y'>;

/** A fixed place. The transition between two adjacent centers takes time from the center with the lower rank. */
interface Center extends Place {
  readonly rank: number;
}

interface Held extends Interval, Center {}

/** Shortens earlier created centers by the time that later created ones cover. */
function withoutOverlaps(centers: readonly CenterOfInterest[]): Held[] {
  const byCreation = centers.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  let held: Held[] = [];
  for (const [rank, { start_ms, end_ms, x, y }] of byCreation.entries()) {
    const others = held.flatMap((other) => [
      { ...other, end_ms: Math.min(other.end_ms, start_ms) },
      { ...other, start_ms: Math.max(other.start_ms, end_ms) },
    ]);
    held = [...others.filter(isLonger), { start_ms, end_ms, x, y, rank }];
  }
  return held.toSorted((one, other) => one.start_ms - other.start_ms);
}

const isLonger = ({ start_ms, end_ms }: Interval) => end_ms > start_ms;

interface Shot extends Interval {
  readonly spans: AutocenterSpan[];
}

function shotsOf(spans: readonly AutocenterSpan[]): Shot[] {
  const shots: Shot[] = [];
  for (const span of spans) {
    const before = shots.at(-1);
    if (before && goesOn(before.spans.at(-1)!, span)) {
      shots.splice(-1, 1, { ...before, end_ms: span.end_ms, spans: [...before.spans, span] });
    } else shots.push({ start_ms: span.start_ms, end_ms: span.end_ms, spans: [span] });
  }
  return shots;
}

function clipped<T extends Interval>(part: T, { start_ms, end_ms }: Interval): T[] {
  const inside = {
    ...part,
    start_ms: Math.max(part.start_ms, start_ms),
    end_ms: Math.min(part.end_ms, end_ms),
  };
  return isLonger(inside) ? [inside] : [];
}

/** A part of a shot, with the center of interest that overrides it, if any. */
interface Part extends Interval {
  readonly center: Center | null;
}

interface SetPart extends Part {
  readonly center: Center;
}

/** Divides the shot into parts. The adjacent centers get a part that is too short for soft transitions. */
function partsOf(shot: Shot, centers: readonly Held[]): Part[] {
  const parts: Part[] = [];
  let end = shot.start_ms;
  for (const { start_ms, end_ms, ...center } of centers) {
    parts.push({ start_ms: end, end_ms: start_ms, center: null }, { start_ms, end_ms, center });
    end = end_ms;
  }
  parts.push({ start_ms: end, end_ms: shot.end_ms, center: null });
  const isRoom = (part: Part, at: number) => {
    const [before, after] = [parts[at - 1]?.center, parts[at + 1]?.center];
    const needed =
      (before ? wayOf(before, placeIn(shot, part.start_ms)) : 0) +
      (after ? wayOf(after, placeIn(shot, part.end_ms)) : 0);
    return part.center !== null || part.end_ms - part.start_ms >= Math.max(1, needed);
  };
  const kept = parts.filter(isRoom);
  return kept.map((part, at) => ({
    ...part,
    start_ms: at === 0 ? shot.start_ms : part.start_ms,
    end_ms: kept[at + 1]?.start_ms ?? shot.end_ms,
  }));
}

const placeIn = ({ spans }: Shot, at_ms: number): Place =>
  placeAt((spans.find(({ end_ms }) => end_ms >= at_ms) ?? spans.at(-1)!).path, at_ms);

/** The shortest duration of a transition. */
const MIN_WAY_MS = 400;

/**
 * The duration of a soft transition at the largest allowed acceleration. The curve 3s² − 2s³ starts with the
 * acceleration 6 · distance / time².
 */
function wayOf(one: Place, other: Place): number {
  const distance = Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
  return Math.max(MIN_WAY_MS, 1000 * Math.sqrt((6 * distance) / MAX_ACCELERATION));
}

/** The step between points of a transition. */
const WAY_STEP_MS = 100;

const soft = (share: number) => {
  const s = Math.min(1, Math.max(0, share));
  return s * s * (3 - 2 * s);
};

const mixed = (one: Place, other: Place, share: number): Place => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
});

/** Returns the spans of the analyses, with the transitions from the previous center and to the next center. */
function automatic(
  shot: Shot,
  part: Part,
  before: Place | null = null,
  after: Place | null = null,
): AutocenterSpan[] {
  const leaving = before === null ? 0 : wayOf(before, placeIn(shot, part.start_ms));
  const entering = after === null ? 0 : wayOf(after, placeIn(shot, part.end_ms));
  return shot.spans.flatMap((span) =>
    clipped(span, part).flatMap((own) => {
      const times = [
        ...span.path.map(({ at_ms }) => at_ms).filter((at_ms) => at_ms > own.start_ms && at_ms < own.end_ms),
        ...wayTimes(part.start_ms, part.start_ms + leaving),
        ...wayTimes(part.end_ms - entering, part.end_ms),
      ].filter((at_ms) => at_ms > own.start_ms && at_ms < own.end_ms);
      const all = [...new Set([own.start_ms, ...times.sort((one, other) => one - other), own.end_ms])];
      const points = all.map((at_ms) => {
        const found = placeAt(span.path, at_ms);
        const left = before === null ? found : mixed(before, found, soft((at_ms - part.start_ms) / leaving));
        const share = soft((at_ms - part.end_ms + entering) / entering);
        return { at_ms, ...(after === null ? left : mixed(left, after, share)) };
      });
      return spansAlong(own, points, span);
    }),
  );
}

function wayTimes(start_ms: number, end_ms: number): number[] {
  const steps = Math.ceil((end_ms - start_ms) / WAY_STEP_MS);
  return Array.from(
    { length: steps + 1 },
    (_, at) => start_ms + ((end_ms - start_ms) * at) / Math.max(1, steps),
  );
}

/** Returns the span of a center of interest, with the transitions to and from adjacent centers that were created later. */
function set(
  { start_ms, end_ms, center }: SetPart,
  before?: Center | null,
  after?: Center | null,
): AutocenterSpan[] {
  const comesFrom = before && before.rank > center.rank ? before : null;
  const goesTo = after && after.rank > center.rank ? after : null;
  const room = (end_ms - start_ms) / (comesFrom && goesTo ? 2 : 1);
  const coming = comesFrom ? Math.min(room, wayOf(comesFrom, center)) : 0;
  const going = goesTo ? Math.min(room, wayOf(center, goesTo)) : 0;
  const times = [
    start_ms,
    ...(comesFrom ? wayTimes(start_ms, start_ms + coming) : []),
    ...(goesTo ? wayTimes(end_ms - going, end_ms) : []),
    end_ms,
  ];
  const points = [...new Set(times)].map((at_ms) => {
    const come = comesFrom ? mixed(comesFrom, center, soft((at_ms - start_ms) / coming)) : center;
    const { x, y } = goesTo ? mixed(come, goesTo, soft((at_ms - end_ms + going) / going)) : come;
    return { at_ms, x, y };
  });
  return spansAlong({ start_ms, end_ms }, points, { source: 'center_of_interest', confidence: null });
}
