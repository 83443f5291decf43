/** Finds candidates for letters in a gray picture: connected pixels that are lighter or darker than their surroundings. */
import type { Pixels } from '../local-packages.ts';

/** Connected pixels that are all light, or all dark. */
export interface Blob {
  left: number;
  top: number;
  /** `right`: the first column to the right of the blob. `bottom`: the first row below the blob. */
  right: number;
  bottom: number;
  pixels: number;
  /** The number of horizontal runs of pixels. `pixels / runs` is the thickness of the strokes. */
  runs: number;
  /** The mean gray of the blob's pixels, 0 to 255. */
  gray: number;
  /** The gray of the lightest pixel of a light blob, or of the darkest pixel of a dark blob. Soft edges of letters do not affect it. */
  extreme: number;
}

export interface Layer {
  readonly blobs: readonly Blob[];
  /** For each pixel the number of its blob (index + 1), or 0. */
  readonly numbers: Int32Array;
}

/** Half the side of the square around a pixel, as a share of the picture's height. A pixel is compared with the mean of this square. */
const RADIUS = 0.05;
/** The minimum difference of a pixel from the mean of its square, on a scale from 0 to 255. */
const MIN_CONTRAST = 24;

export function findBlobs(picture: Pixels): readonly Layer[] {
  const means = localMeans(picture, Math.max(8, Math.round(picture.height * RADIUS)));
  const { data } = picture;
  return [
    findLayer(picture, (at) => data[at]! - means[at]! > MIN_CONTRAST, Math.max),
    findLayer(picture, (at) => means[at]! - data[at]! > MIN_CONTRAST, Math.min),
  ];
}

/** Returns the mean of the square around each pixel, calculated with a summed-area table. */
function localMeans({ data, width, height }: Pixels, radius: number): Uint8Array {
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

/** Joins each run of pixels with the runs that it touches in the row above, also at corners (union-find). */
function findLayer(
  picture: Pixels,
  isInLayer: (at: number) => boolean,
  extremeOf: (one: number, other: number) => number,
): Layer {
  const { width, height } = picture;
  const numbers = new Int32Array(width * height);
  const parents: number[] = [0];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (!isInLayer(at)) continue;
      const run = parents.length;
      const start = x;
      while (x < width && isInLayer(y * width + x)) x++;
      parents.push(run);
      numbers.fill(run, at, y * width + x);
      if (y === 0) continue;
      const above = (y - 1) * width;
      for (let over = Math.max(0, start - 1); over <= Math.min(width - 1, x); over++)
        if (numbers[above + over] !== 0) {
          const [one, other] = [rootOf(numbers[above + over]!), rootOf(run)];
          parents[Math.max(one, other)] = Math.min(one, other);
        }
    }
  }
  const roots = Int32Array.from(parents, (_, run) => rootOf(run));
  return measureBlobs(picture, numbers, roots, extremeOf);
}

/** Replaces the run numbers in `numbers` by blob numbers, and measures the blobs. */
function measureBlobs(
  { data, width, height }: Pixels,
  numbers: Int32Array,
  roots: Int32Array,
  extremeOf: (one: number, other: number) => number,
): Layer {
  const blobs: Blob[] = [];
  const blobOfRoot = new Int32Array(roots.length);
  for (let y = 0; y < height; y++) {
    let previous = 0;
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const root = roots[numbers[at]!]!;
      if (root === 0) {
        previous = 0;
        continue;
      }
      const value = data[at]!;
      let number = blobOfRoot[root]!;
      if (number === 0) {
        const box = { left: x, top: y, right: x + 1, bottom: y + 1 };
        number = blobOfRoot[root] = blobs.push({ ...box, pixels: 0, runs: 0, gray: 0, extreme: value });
      }
      numbers[at] = number;
      const blob = blobs[number - 1]!;
      if (x < blob.left) blob.left = x;
      if (x >= blob.right) blob.right = x + 1;
      blob.bottom = y + 1;
      blob.pixels++;
      blob.extreme = extremeOf(blob.extreme, value);
      if (previous !== number) blob.runs++;
      previous = number;
      blob.gray += value;
    }
  }
  for (const blob of blobs) blob.gray /= blob.pixels;
  return { blobs, numbers };
}
