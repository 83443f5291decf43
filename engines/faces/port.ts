/** The interface of engines that find faces. `ENGINE_FACES` names the engine. */
import type { Picture } from '../../media/pictures/picture.ts';
import type { Box } from '../../shared/boxes.ts';
import { engineOf } from '../engine.ts';

export interface SeenFace {
  readonly box: Box;
  /** The confidence, 0 to 1. */
  readonly confidence: number;
  /** The face embedding, for `distanceOf`. Null if the engine compares the pictures of faces instead. */
  readonly likeness: readonly number[] | null;
}

/** A crop of a picture: a face with some space around it. */
export interface FaceCrop {
  readonly jpeg: Buffer;
  readonly likeness: readonly number[] | null;
}

/** Methods throw a JobError. A retry may succeed if the error is `retryable`. */
export interface Faces {
  /** Returns the faces in a picture, the largest first. Leaves out small or uncertain faces, which may be textures. */
  find(picture: Picture, signal?: AbortSignal): Promise<SeenFace[]>;
  /**
   * Returns the number of the person for each crop. Numbers start at 0, in the order in which the persons first appear. The caller
   * must put the most important crops first: an engine may limit the number of crops, and returns null for the others.
   * @param onPictures called with the number of pictures that were sent to a paid service
   */
  tellApart(
    crops: readonly FaceCrop[],
    signal?: AbortSignal,
    onPictures?: (pictures: number) => void,
  ): Promise<(number | null)[]>;
}

export const facesEngine = engineOf<Faces>();

/** Compares two faces for sorting, the largest first. */
export const byArea = ({ box: one }: SeenFace, { box: other }: SeenFace): number =>
  other.width * other.height - one.width * one.height;
