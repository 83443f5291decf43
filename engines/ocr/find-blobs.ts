/**
 * Finds what may be letters in a grey picture: connected pixels that are lighter, or darker, than what is around them.
 * Pixels are bytes, row by row.
 */

export interface GreyPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Connected pixels of one ink. */
export interface Blot {
  left: number;
  top: number;
  /** The first column and row behind it. */
  right: number;
  bottom: number;
  pixels: number;
  /** Stretches of pixels in a row; pixels by runs is how thick strokes are. */
  runs: number;
  /** The mean of its pixels, 0 to 255. */
  grey: number;
  /** Its lightest pixel, or of dark ink its darkest: the colour of strokes without their soft edges. */
  extreme: number;
}

/** What one ink, the light or the dark, covers. */
export interface Ink {
  readonly blots: readonly Blot[];
  /** For each pixel the index of its blot and 1, or 0. */
  readonly of: Int32Array;
}

/** Half the side of the square whose mean a pixel is held against, as a share of the picture's height: more than letters are thick. */
const AROUND = 0.05;
/** By so much ink differs from that mean, of 255. */
const CONTRAST = 24;

/** Both inks of a picture: light on dark, and dark on light. */
export function inksOf(picture: GreyPixels): { readonly light: Ink; readonly dark: Ink } {
  const around = meansAround(picture, Math.max(8, Math.round(picture.height * AROUND)));
  const { data } = picture;
  return {
    light: inkWhere(picture, (at) => data[at]! - around[at]! > CONTRAST, Math.max),
    dark: inkWhere(picture, (at) => around[at]! - data[at]! > CONTRAST, Math.min),
  };
}

/** The mean of the square around each pixel, by sums of all that is above and left. */
function meansAround({ data, width, height }: GreyPixels, radius: number): Uint8Array {
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += data[y * width + x]!;
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
    }
  }
  const means = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - radius) * stride;
    const below = Math.min(height, y + radius + 1) * stride;
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - radius);
      const right = Math.min(width, x + radius + 1);
      const sum = sums[below + right]! - sums[above + right]! - sums[below + left]! + sums[above + left]!;
      means[y * width + x] = sum / (((below - above) / stride) * (right - left));
    }
  }
  return means;
}

/** Joins runs of ink that touch those of the row above, corners included. */
function inkWhere(
  { data, width, height }: GreyPixels,
  isInk: (at: number) => boolean,
  extremeOf: (one: number, other: number) => number,
): Ink {
  const of = new Int32Array(width * height);
  const parents: number[] = [0];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (!isInk(at)) continue;
      const run = parents.length;
      const start = x;
      while (x < width && isInk(y * width + x)) x++;
      parents.push(run);
      of.fill(run, at, y * width + x);
      if (y === 0) continue;
      const above = (y - 1) * width;
      for (let over = Math.max(0, start - 1); over <= Math.min(width - 1, x); over++)
        if (of[above + over] !== 0) {
          const [one, other] = [rootOf(of[above + over]!), rootOf(run)];
          parents[Math.max(one, other)] = Math.min(one, other);
        }
    }
  }
  return blotsOf({ data, width, height }, of, rootOf, parents.length, extremeOf);
}

function blotsOf(
  { data, width, height }: GreyPixels,
  of: Int32Array,
  rootOf: (run: number) => number,
  runs: number,
  extremeOf: (one: number, other: number) => number,
): Ink {
  const blots: Blot[] = [];
  const numbers = new Int32Array(runs);
  const sums: number[] = [];
  for (let y = 0; y < height; y++) {
    let before = 0;
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const run = of[at]!;
      if (run === 0) {
        before = 0;
        continue;
      }
      const root = rootOf(run);
      let number = numbers[root]!;
      if (number === 0) {
        const extreme = data[at]!;
        blots.push({ left: x, top: y, right: x + 1, bottom: y + 1, pixels: 0, runs: 0, grey: 0, extreme });
        sums.push(0);
        number = numbers[root] = blots.length;
      }
      of[at] = number;
      const blot = blots[number - 1]!;
      if (x < blot.left) blot.left = x;
      if (x >= blot.right) blot.right = x + 1;
      blot.bottom = y + 1;
      blot.pixels++;
      blot.extreme = extremeOf(blot.extreme, data[at]!);
      if (before !== number) blot.runs++;
      before = number;
      sums[number - 1]! += data[at]!;
    }
  }
  for (const [at, blot] of blots.entries()) blot.grey = sums[at]! / blot.pixels;
  return { blots, of };
}
