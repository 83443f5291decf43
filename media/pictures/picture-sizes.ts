/** The sizes of the pictures that are decoded from a video. */

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PictureSizes {
  readonly frame: Size;
  readonly grey: Size;
  readonly sample: Size;
}

/** The length of the longer side, pixels. */
const FRAME_PIXELS = 64;
const GREY_PIXELS = 160;
const SAMPLE_PIXELS = 1280;

/** @param displayed pixels as displayed */
export function pictureSizes(displayed: Size): PictureSizes {
  const longer = Math.max(displayed.width, displayed.height);
  const within = (pixels: number): Size => {
    const scale = pixels / longer;
    return { width: even(displayed.width * scale), height: even(displayed.height * scale) };
  };
  return {
    frame: within(FRAME_PIXELS),
    grey: within(GREY_PIXELS),
    sample: within(Math.min(SAMPLE_PIXELS, longer)),
  };
}

/** Sides must be even: color is stored for every second pixel. */
const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));
