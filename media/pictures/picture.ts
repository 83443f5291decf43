/** Pictures of a video as analyses look at them: upright, with square pixels, however the file stores them. */

/** One sampled picture, at most 1280 wide. */
export interface Picture {
  /** From the start of the media. */
  readonly at_ms: number;
  /** Its number among the frames of the video, from 0. */
  readonly frame: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Buffer;
}

/** A small grey picture for motion, of which there are 5 a second. */
export interface GreyPicture {
  /** From the start of the media. */
  readonly at_ms: number;
  /** 160 for pictures that are wider than high, as the aspect asks for others. */
  readonly width: number;
  readonly height: number;
  /** Row by row, 0 (black) to 255. */
  readonly luma: Uint8Array;
}
