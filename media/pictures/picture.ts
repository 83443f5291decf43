/** Pictures of a video for analyses: upright, with square pixels. */
import type { Size } from '../../shared/boxes.ts';

/** One sampled picture. Its longer side has at most 1280 pixels. */
export interface Picture extends Size {
  readonly at_ms: number;
  /** The number of the frame in the video, from 0. */
  readonly frame: number;
  readonly jpeg: Buffer;
}

/** A small gray picture for detecting motion. The longer side has 160 pixels. There are 5 pictures a second. */
export interface GreyPicture extends Size {
  readonly at_ms: number;
  /** Brightness row by row, from 0 (black) to 255. */
  readonly luma: Uint8Array;
}
