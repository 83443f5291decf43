/** The interface of engines that read text in pictures. `ENGINE_OCR` names the engine. */
import type { Picture } from '../../media/pictures/picture.ts';
import type { Box } from '../../shared/boxes.ts';
import { engineOf } from '../engine.ts';

export interface SeenText {
  readonly text: string;
  readonly box: Box;
  /** The confidence, 0 to 1. */
  readonly confidence: number;
}

/** Throws a JobError. A retry may succeed if the error is `retryable`. */
export interface Ocr {
  /**
   * Returns the lines of text in a picture, from top to bottom, without lines that are probably not text.
   * @param languages BCP 47 tags, the most likely first. The engine ignores languages that it does not know.
   */
  read(picture: Picture, languages: readonly string[], signal?: AbortSignal): Promise<SeenText[]>;
}

export const ocrEngine = engineOf<Ocr>();
