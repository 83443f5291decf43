/** Checks whether cues that begin or end near a cut begin or end at the cut. */

import { counted, type Found, type JudgedCue, nameOfCue, placeOf, type QcReport } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

type Checked = { said: QcReport['shot_changes']; found: Found[] };

/** A cue may end this many frames before the cut, to leave the gap before the next cue. */
const BEFORE_CUT_FRAMES = 2;

/** Warns about cues that begin or end near a cut but not exactly at the cut. @param cuts their times, ms, in order */
export function checkShots(
  cues: readonly JudgedCue[],
  { shot_ms }: QcProfile,
  rate: number,
  cuts: readonly number[] | undefined,
): Checked {
  const limit = Math.round((shot_ms * rate) / 1000);
  if (limit === 0) return unchecked('The profile has no rule for shot changes.');
  if (cuts === undefined) {
    return unchecked(
      'The cuts of the media are unknown. See `analyses.camera_shoots` of the asset for the reason.',
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
      detail: `${nameOfCue(cue)}: it ${verb} ${counted(Math.abs(frames), 'frame')} ${frames < 0 ? 'before' : 'after'} a cut.`,
    }));
  });
  return {
    said: { status: 'checked', detail: `Compared with ${counted(cuts.length, 'cut')}.` },
    found,
  };
}

const unchecked = (detail: string): Checked => ({ said: { status: 'not_checked', detail }, found: [] });

/** Returns the distance of a time from its nearest cut, in frames. Negative before the cut. */
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
