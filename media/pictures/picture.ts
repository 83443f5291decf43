/** Pictures of a video for analyses: upright, with square pixels. */

/** One sampled picture, at most 1280 wide. */
export interface Picture {
  /** Milliseconds from the start of the media. */
  readonly at_ms: number;
  /** Its number among the frames of the video, from 0. */
  readonly frame: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Buffer;
}

/** A small gray picture for detecting motion. There are 5 a second. */
export interface GreyPicture {
  /** Milliseconds from the start of the media. */
  readonly at_ms: number;
  /** 160 for landscape pictures. For other pictures, the height is 160. */
  readonly width: number;
  readonly height: number;
  /** Brightness row by row, from 0 (black) to 255. */
  readonly luma: Uint8Array;
}
