/** Finds where one shot ends and the next begins. */

import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { engineOf } from '../engine.ts';

/** Where a shot begins that is not the first. */
export interface Boundary {
  /** The first frame that belongs to it: that of a cut, the middle of a dissolve, the darkest or brightest of a fade. */
  readonly frame: number;
  readonly transition: 'cut' | 'dissolve' | 'fade';
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Shots {
  /** In frames that follow each other, all of one size; by their places. What lies within a second or two of either end may be missed. */
  boundaries(frames: readonly Frame[]): Boundary[];
}

export const shotsEngine = engineOf<Shots>();
