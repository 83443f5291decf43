/** Applies centers of interest, which users set. Between its start and its end, a center of interest overrides the spans of the analyses. */
import { mergeNeighbors } from '../../shared/merge-neighbors.ts';
import {
  type AutocenterSpan,
  goesOn,
  type Interval,
  isLonger,
  mixed,
  type Place,
  placeAt,
  spansAlong,
} from './autocenter-spans.ts';
import { MAX_ACCELERATION } from './steady-path.ts';

export interface CenterOfInterest extends Interval {
  readonly x: number;
  readonly y: number;
  /** If two centers overlap in time, the one that was created later applies. */
  readonly created_at: string;
}

/**
 * Returns the spans with the centers of interest. Within a shot, the frame moves to a center before its start, to be there in time. The
 * frame leaves the center after its end. If a center starts at a cut, or too soon after it for a soft transition, it applies from the cut
 * on. The end of a shot is handled in the same way.
 */
export function withCentersOfInterest(
  spans: readonly AutocenterSpan[],
  centers: readonly CenterOfInterest[],
): AutocenterSpan[] {
  const apart = withoutOverlaps(centers);
  return shotsOf(spans).flatMap((shot) => {
    const inside = apart.flatMap((center) => clipped(center, shot));
    return inside.length === 0
      ? shot.spans
      : partsOf(shot, inside).flatMap((part, at, all) =>
          part.center === null
            ? moving(shot.spans, part, { before: all[at - 1]?.center, after: all[at + 1]?.center })
            : held(part, part.center, all[at - 1]?.center, all[at + 1]?.center),
        );
  });
}

/** A fixed place. The transition between two adjacent centers takes place within the time of the center with the lower rank. */
interface Center extends Place {
  readonly rank: number;
}

interface Held extends Interval, Center {}

/** Removes overlaps: a center loses the time that a later-created center covers. */
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

interface Shot extends Interval {
  readonly spans: AutocenterSpan[];
}

const shotsOf = (spans: readonly AutocenterSpan[]): Shot[] =>
  mergeNeighbors(
    spans.map((span): Shot => ({ start_ms: span.start_ms, end_ms: span.end_ms, spans: [span] })),
    (shot, { end_ms, spans }) =>
      goesOn(shot.spans.at(-1)!, spans[0]!) ? { ...shot, end_ms, spans: [...shot.spans, ...spans] } : null,
  );

function clipped<T extends Interval>(part: T, { start_ms, end_ms }: Interval): T[] {
  const inside = {
    ...part,
    start_ms: Math.max(part.start_ms, start_ms),
    end_ms: Math.min(part.end_ms, end_ms),
  };
  return isLonger(inside) ? [inside] : [];
}

/** A part of a shot, and the center of interest that overrides it. Null if none does. */
interface Part extends Interval {
  readonly center: Center | null;
}

/** Divides the shot into parts. If a part between two centers is too short for soft transitions, its time is added to the centers. */
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
      (before ? wayOf(before, placeIn(shot.spans, part.start_ms)) : 0) +
      (after ? wayOf(after, placeIn(shot.spans, part.end_ms)) : 0);
    return part.center !== null || part.end_ms - part.start_ms >= Math.max(1, needed);
  };
  const kept = parts.filter(isRoom);
  return kept.map((part, at) => ({
    ...part,
    start_ms: at === 0 ? shot.start_ms : part.start_ms,
    end_ms: kept[at + 1]?.start_ms ?? shot.end_ms,
  }));
}

const placeIn = (spans: readonly AutocenterSpan[], at_ms: number): Place =>
  placeAt((spans.find(({ end_ms }) => end_ms >= at_ms) ?? spans.at(-1)!).path, at_ms);

/** The shortest duration of a transition. */
const MIN_WAY_MS = 400;

/** Returns the duration of a transition with the maximum acceleration. The curve 3s² − 2s³ starts with the acceleration 6 · distance / time². */
function wayOf(one: Place, other: Place): number {
  const distance = Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
  return Math.max(MIN_WAY_MS, 1000 * Math.sqrt((6 * distance) / MAX_ACCELERATION));
}

const WAY_STEP_MS = 100;

const soft = (share: number) => {
  const s = Math.min(1, Math.max(0, share));
  return s * s * (3 - 2 * s);
};

/**
 * Returns the spans within the part, including the transitions from the previous center and to the next center.
 * @param max_ms the maximum duration of each transition
 */
function moving(
  spans: readonly AutocenterSpan[],
  part: Interval,
  {
    before = null,
    after = null,
    max_ms = Number.POSITIVE_INFINITY,
  }: {
    readonly before?: Place | null | undefined;
    readonly after?: Place | null | undefined;
    readonly max_ms?: number | undefined;
  } = {},
): AutocenterSpan[] {
  const leaving = before ? Math.min(max_ms, wayOf(before, placeIn(spans, part.start_ms))) : 0;
  const entering = after ? Math.min(max_ms, wayOf(after, placeIn(spans, part.end_ms))) : 0;
  return spans.flatMap((span) =>
    clipped(span, part).flatMap((own) => {
      const times = [
        ...span.path.map(({ at_ms }) => at_ms),
        ...wayTimes(part.start_ms, part.start_ms + leaving),
        ...wayTimes(part.end_ms - entering, part.end_ms),
      ].filter((at_ms) => at_ms > own.start_ms && at_ms < own.end_ms);
      const all = [...new Set([own.start_ms, ...times.sort((one, other) => one - other), own.end_ms])];
      const points = all.map((at_ms) => {
        const found = placeAt(span.path, at_ms);
        const left = before === null ? found : mixed(before, found, soft((at_ms - part.start_ms) / leaving));
        const share = soft((at_ms - part.end_ms + entering) / entering);
        const { x, y } = after === null ? left : mixed(left, after, share);
        return { at_ms, x, y };
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

/** Returns the span of a center of interest. It includes the transitions to and from those adjacent centers that were created later. */
function held(part: Interval, center: Center, before?: Center | null, after?: Center | null) {
  const { start_ms, end_ms } = part;
  const { x, y, rank } = center;
  const comesFrom = before && before.rank > rank ? before : null;
  const goesTo = after && after.rank > rank ? after : null;
  const max_ms = (end_ms - start_ms) / (comesFrom && goesTo ? 2 : 1);
  const span = { start_ms, end_ms, x, y, path: [{ at_ms: start_ms, x, y }] };
  const source = { source: 'center_of_interest', confidence: null } as const;
  return moving([{ ...span, ...source }], part, { before: comesFrom, after: goesTo, max_ms });
}
