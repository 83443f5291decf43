/** Pictures of a video for analyses: upright, with square pixels. */

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

/** A small gray picture for detecting motion. There are 5 a second. */
export interface GreyPicture {
  /** From the start of the media. */
  readonly at_ms: number;
  /** 160 for landscape pictures; for others, the height is 160. */
  readonly width: number;
  readonly height: number;
  /** Row by row, 0 (black) to 255. */
  readonly luma: Uint8Array;
}
