/** What every engine for faces does, whether it runs here or asks a service. */

import type { Picture } from '../../media/pictures/picture.ts';
import type { Box } from '../../shared/boxes.ts';
import { engineOf } from '../engine.ts';

export interface SeenFace {
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
  /**
   * A point in a space in which faces of one person lie close together (`distanceOf`); null where the engine has none and
   * tells people apart by pictures.
   */
  readonly likeness: readonly number[] | null;
}

/** A face, cut out of its picture with some room around it. */
export interface FaceCrop {
  readonly jpeg: Buffer;
  readonly likeness: readonly number[] | null;
}

/** Methods throw a JobError; one that is `retryable` may go well when asked again. */
export interface Faces {
  /** Faces in a picture, the largest first; none is too small or too unsure to be told from a texture. */
  find(picture: Picture, signal?: AbortSignal): Promise<SeenFace[]>;
  /**
   * The number of the person on each crop: from 0, in the order in which they come first. Null for crops that are one too many
   * to be told apart: those that matter most go first.
   * @param asked hears of each picture that a service is asked about, which is paid for
   */
  tellApart(
    crops: readonly FaceCrop[],
    signal?: AbortSignal,
    asked?: (pictures: number) => void,
  ): Promise<(number | null)[]>;
}

export const facesEngine = engineOf<Faces>();
