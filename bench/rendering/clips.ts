/** The clips that bench/rendering.ts measures. */

import type { CropPath } from '../../media/framing/crop-path.ts';
import type { BurnedCue } from '../../media/rendering/split-cue.ts';

export const RATE = 25;
/** The frames of the clip: 30 seconds of a video. */
export const CLIP = { start_frame: 30, end_frame: 780 };
const SECONDS = (CLIP.end_frame - CLIP.start_frame) / RATE;

export const CUES: readonly BurnedCue[] = Array.from({ length: SECONDS / 3 }, (_, at) => ({
  start_ms: at * 3000,
  end_ms: at * 3000 + 2600,
  lines: ['The words of this cue', 'are on two lines of it.'],
}));

/** The crop moves from one side to the other and back. */
export function cropsOf({ width, height }: { readonly width: number; readonly height: number }): CropPath {
  const wide = 2 * Math.round((height * 9) / 32);
  const points = Array.from({ length: SECONDS + 1 }, (_, at) => {
    const share = (1 - Math.cos((at * Math.PI) / 6)) / 2;
    return { at_ms: at * 1000, x: (width - wide) * share, y: 0, jump: at === 0 };
  });
  return { width: wide, height, points };
}
