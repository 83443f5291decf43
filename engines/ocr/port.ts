/** What every engine that reads pictures does, whether it runs here or asks a service. */

import type { Picture } from '../../media/pictures/picture.ts';
import type { Box } from '../../shared/boxes.ts';
import { engineOf } from '../engine.ts';

/** A line of text as it stands in the picture. */
export interface SeenText {
  readonly text: string;
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Throws a JobError; one that is `retryable` may go well when asked again. */
export interface Ocr {
  /**
   * The lines that can be read in a picture, from its top; none where there is no text. What is not surely text is left out.
   * @param languages BCP 47 tags, the likeliest first: of accents and words. One that the engine does not know is no error.
   */
  read(picture: Picture, languages: readonly string[], signal?: AbortSignal): Promise<SeenText[]>;
}

export const ocrEngine = engineOf<Ocr>();
