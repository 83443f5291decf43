/** The interface of engines that detect shots. `ENGINE_SHOTS` names the engine. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { engineOf } from '../engine.ts';

/** The start of a shot. The first shot of the media has no boundary at its start. */
export interface Boundary {
  /** The first frame after a cut, the middle of a dissolve, or the darkest or brightest frame of a fade. */
  readonly frame: number;
  readonly transition: 'cut' | 'dissolve' | 'fade';
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Shots {
  /** Finds boundaries. The frames must be consecutive and of the same size. May miss boundaries in the first and the last two seconds. */
  boundaries(frames: readonly Frame[]): Boundary[];
}

export const shotsEngine = engineOf<Shots>();
