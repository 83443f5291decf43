/** The interface of engines that detect shots. `ENGINE_SHOTS` names the engine. */

import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { engineOf } from '../engine.ts';

/** The start of a shot, except the first. */
export interface Boundary {
  /** The first frame after a cut, the middle of a dissolve, or the darkest or brightest frame of a fade. */
  readonly frame: number;
  readonly transition: 'cut' | 'dissolve' | 'fade';
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Shots {
  /**
   * Finds boundaries in consecutive frames of the same size. `frame` is an index of `frames`. Boundaries within one or two seconds of
   * either end may be missed.
   */
  boundaries(frames: readonly Frame[]): Boundary[];
}

export const shotsEngine = engineOf<Shots>();
