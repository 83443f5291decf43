/** Checks cues near a cut: they should begin or end exactly at the cut. */
import { itemAt } from '../../../../shared/checked-access.ts';
import { firstIndexWhere } from '../../../../shared/sorted.ts';
import { type Checked, counted, type Found, foundIn, type JudgedCue, unchecked } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

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
  const unknown =
    'The cuts of the media are unknown. See `analyses.camera_shoots` of the asset for the reason.';
  if (cuts === undefined) return unchecked(unknown);
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
    return off.map(([verb, frames]) => {
      const value = Math.abs(frames);
      const detail = `it ${verb} ${counted(value, 'frame')} ${frames < 0 ? 'before' : 'after'} a cut.`;
      return foundIn(cue, { code: 'shot_change', value, limit, detail });
    });
  });
  return {
    said: { status: 'checked', detail: `Compared with ${counted(cuts.length, 'cut')}.` },
    found,
  };
}

/** Returns a function for the distance of a time (ms) from its nearest cut, in frames. Negative before the cut. */
function cutFinder(cuts: readonly number[], rate: number): (ms: number) => number {
  return (ms) => {
    const next = firstIndexWhere(cuts, (cut) => cut >= ms);
    const distances = [cuts[next - 1], cuts[next]].map((cut) => (cut === undefined ? Infinity : ms - cut));
    const nearest =
      Math.abs(itemAt(distances, 0)) < Math.abs(itemAt(distances, 1))
        ? itemAt(distances, 0)
        : itemAt(distances, 1);
    return Math.round((nearest * rate) / 1000);
  };
}
