/** Whether cues begin and end at cuts that are close to them. */

import { type Found, type JudgedCue, placeOf, type QcReport } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

type Checked = { said: QcReport['shot_changes']; found: Found[] };

/** A cue may end so many frames before the cut, which leaves the gap to the next. */
const BEFORE_CUT_FRAMES = 2;

/** Warns of cues that begin or end near a cut and not at it. `cuts` are their times, ms, in order. */
export function checkedShots(
  cues: readonly JudgedCue[],
  { shot_ms }: QcProfile,
  rate: number,
  cuts: readonly number[] | undefined,
): Checked {
  const limit = Math.round((shot_ms * rate) / 1000);
  if (limit === 0) return unchecked('The profile asks nothing of shot changes.');
  if (cuts === undefined) {
    return unchecked(
      'The shots of the media are not known: `analyses.camera_shoots` of the asset says what became of them.',
    );
  }
  const framesFrom = cutFinder(cuts, rate);
  const found = cues.flatMap((cue): Found[] => {
    const start = framesFrom(cue.start_ms);
    const end = framesFrom(cue.end_ms);
    const isOff = (frames: number) => frames > 0 && frames < limit;
    const isEndOff = isOff(Math.abs(end)) && !(end < 0 && -end <= BEFORE_CUT_FRAMES);
    const off = [
      ...(isOff(Math.abs(start)) ? [['begins', start] as const] : []),
      ...(isEndOff ? [['ends', end] as const] : []),
    ];
    return off.map(([verb, frames]) => ({
      ...placeOf(cue),
      code: 'shot_change' as const,
      value: Math.abs(frames),
      limit,
      detail: `It ${verb} ${counted(Math.abs(frames), 'frame')} ${frames < 0 ? 'before' : 'after'} a cut.`,
    }));
  });
  return {
    said: { status: 'checked', detail: `Held against ${counted(cuts.length, 'cut')}.` },
    found,
  };
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

const unchecked = (detail: string): Checked => ({ said: { status: 'not_checked', detail }, found: [] });

/** How many frames a time is after the cut that is nearest to it; below zero before it. */
function cutFinder(cuts: readonly number[], rate: number): (ms: number) => number {
  return (ms) => {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cuts[middle]! < ms) low = middle + 1;
      else high = middle;
    }
    const distances = [cuts[low - 1], cuts[low]].map((cut) => (cut === undefined ? Infinity : ms - cut));
    const nearest = Math.abs(distances[0]!) < Math.abs(distances[1]!) ? distances[0]! : distances[1]!;
    return Number.isFinite(nearest) ? Math.round((nearest * rate) / 1000) : Number.POSITIVE_INFINITY;
  };
}
