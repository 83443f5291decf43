/** Estimates the motion of the camera between two small pictures, from the common motion of the static parts of the scene. */
import type { Size } from '../../shared/boxes.ts';

/** Brightness row by row, 0 to 255. Values have fractions if pixels were averaged. */
export interface Plane extends Size {
  readonly luma: Float32Array;
}

/**
 * Maps a pixel of the later picture to the earlier picture: shifts `x` and `y`, then `zoom` and `turn` around the middle. Both
 * are in pixels per pixel of distance. The numbers `gain` and `offset` are the change of brightness from the earlier to the later picture.
 */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly turn: number;
  readonly gain: number;
  readonly offset: number;
}

const stillCamera: Camera = { x: 0, y: 0, zoom: 0, turn: 0, gain: 0, offset: 0 };

/** Returns the inverse motion. It is accurate for a zoom of up to a few percent. */
export function backwards({ x, y, zoom, turn, gain, offset }: Camera): Camera {
  return {
    x: -(x - zoom * x + turn * y),
    y: -(y - zoom * y - turn * x),
    zoom: -zoom,
    turn: -turn,
    gain: 1 / (1 + gain) - 1,
    offset: -offset / (1 + gain),
  };
}

export function halved({ width, height, luma }: Plane): Plane {
  const [w, h] = [width >> 1, height >> 1];
  const joined = new Float32Array(w * h);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const at = 2 * y * width + 2 * x;
      joined[y * w + x] = (luma[at]! + luma[at + 1]! + luma[at + width]! + luma[at + width + 1]!) / 4;
    }
  }
  return { width: w, height: h, luma: joined };
}

/** Estimates the motion by iteratively reweighted least squares (Lucas and Kanade). Moving subjects have little weight. */
export function estimateCamera(one: Plane, next: Plane): Camera {
  const halves = [halved(one), halved(next)] as const;
  const quarters = [halved(halves[0]), halved(halves[1])] as const;
  const shift = bestShift(...quarters);
  const roughly = refined(...halves, inDoublePixels({ ...stillCamera, ...shift }), {
    rounds: HALF_ROUNDS,
    step: 1,
  });
  const found = refined(one, next, inDoublePixels(roughly), { rounds: WHOLE_ROUNDS, step: 2 });
  const light = refined(...halves, stillCamera, { rounds: LIGHT_ROUNDS, step: 2, first: LIGHT_ALONE });
  const isMoving = misfit(one, next, found) < CLEARLY * misfit(one, next, light);
  return isMoving ? found : light;
}

const HALF_ROUNDS = 5;
const WHOLE_ROUNDS = 2;
const LIGHT_ROUNDS = 3;
/** In a camera's numbers, those of the light start at this index. A fit that starts at this index does not change the motion. */
const LIGHT_ALONE = 4;
/** The camera counts as moving if the difference between the pictures falls below this share of the difference for a still camera. */
const CLEARLY = 0.93;

const inDoublePixels = (camera: Camera): Camera => ({ ...camera, x: camera.x * 2, y: camera.y * 2 });

/** A larger difference counts as this difference, so that moving subjects and other changes have little effect. */
const CAP = 24;
/** The cost of a shift by one pixel. Without it, uniform pictures would seem to move. */
const SHIFT_COST = 0.03;

/** Finds the shift after which the pictures are most alike: in whole pixels, up to a quarter of the picture. */
function bestShift(one: Plane, next: Plane): { x: number; y: number } {
  const lighter = meanOf(next) - meanOf(one);
  const [far, high] = [one.width >> 2, one.height >> 2];
  let best = { x: 0, y: 0, cost: Number.POSITIVE_INFINITY };
  for (let y = -high; y <= high; y += 1) {
    for (let x = -far; x <= far; x += 1) {
      const cost =
        shiftedDifference(one, next, { dx: x, dy: y, lighter }) + SHIFT_COST * (Math.abs(x) + Math.abs(y));
      if (cost < best.cost) best = { x, y, cost };
    }
  }
  return { x: best.x, y: best.y };
}

function shiftedDifference(
  one: Plane,
  next: Plane,
  { dx, dy, lighter }: { readonly dx: number; readonly dy: number; readonly lighter: number },
): number {
  const { width, height } = one;
  let [sum, count] = [0, 0];
  for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y += 1) {
    for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x += 1) {
      const difference = next.luma[y * width + x]! - one.luma[(y + dy) * width + x + dx]! - lighter;
      sum += Math.min(CAP, Math.abs(difference));
      count += 1;
    }
  }
  return sum / count;
}

function meanOf({ luma }: Plane): number {
  let sum = 0;
  for (const value of luma) sum += value;
  return sum / luma.length;
}

/** The minimum noise that a fit assumes. Without it, the fit would follow rounding errors. */
const MIN_NOISE = 2;

/** Refines a guess by `rounds` Gauss-Newton rounds over every `step`-th pixel. Changes only the numbers from index `first` on. */
function refined(
  one: Plane,
  next: Plane,
  from: Camera,
  {
    rounds,
    step,
    first = 0,
  }: { readonly rounds: number; readonly step: number; readonly first?: number | undefined },
): Camera {
  let camera = from;
  for (let round = 0; round < rounds; round += 1) {
    const noise = Math.max(MIN_NOISE, 1.5 * medianOf(differences(one, next, camera)));
    const change = solved(normalEquations(one, next, { camera, noise, step }), first);
    camera = {
      x: camera.x + change[0]!,
      y: camera.y + change[1]!,
      zoom: camera.zoom + change[2]! / DISTANCE_SCALE,
      turn: camera.turn + change[3]! / DISTANCE_SCALE,
      gain: Math.min(1, Math.max(-0.5, camera.gain + change[4]! / GAIN_SCALE)),
      offset: camera.offset + change[5]!,
    };
  }
  return camera;
}

/** The units of zoom, turn and gain. With them, all six numbers have similar magnitudes. */
const DISTANCE_SCALE = 50;
const GAIN_SCALE = 100;
const SIZE = 6;

/** Returns the weighted normal equations of one round: the upper triangle of the matrix. The last number of each row is the right side. */
function normalEquations(
  one: Plane,
  next: Plane,
  { camera, noise, step }: { readonly camera: Camera; readonly noise: number; readonly step: number },
): Float64Array {
  const { width, height } = one;
  const sums = new Float64Array(SIZE * (SIZE + 1));
  const slopes = new Float64Array(SIZE);
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 1; y < height - 1; y += step) {
    for (let x = 1; x < width - 1; x += step) {
      const [X, Y] = [x - cx, y - cy];
      const fromX = x + camera.x + camera.zoom * X - camera.turn * Y;
      const fromY = y + camera.y + camera.zoom * Y + camera.turn * X;
      if (fromX < 0 || fromY < 0 || fromX > width - 2 || fromY > height - 2) continue;
      const value = sampled(one, fromX, fromY);
      const gain = 1 + camera.gain;
      // Uses the slopes of the later picture, which need no interpolation. The aligned earlier picture has the same slopes.
      const at = y * width + x;
      const slopeX = (next.luma[at + 1]! - next.luma[at - 1]!) / 2;
      const slopeY = (next.luma[at + width]! - next.luma[at - width]!) / 2;
      const rest = next.luma[at]! - value * gain - camera.offset;
      const share = (noise * noise) / (noise * noise + rest * rest);
      const weight = share * share;
      slopes[0] = slopeX;
      slopes[1] = slopeY;
      slopes[2] = (slopeX * X + slopeY * Y) / DISTANCE_SCALE;
      slopes[3] = (slopeY * X - slopeX * Y) / DISTANCE_SCALE;
      slopes[4] = value / GAIN_SCALE;
      slopes[5] = 1;
      for (let row = 0; row < SIZE; row += 1) {
        const factor = weight * slopes[row]!;
        for (let column = row; column < SIZE; column += 1) {
          sums[row * (SIZE + 1) + column]! += factor * slopes[column]!;
        }
        sums[row * (SIZE + 1) + SIZE]! += factor * rest;
      }
    }
  }
  return sums;
}

/** Regularization. It limits numbers that the picture does not determine, such as the shift of a plain sky. */
const HOLD = 1;

/** Solves the equations. The change is 0 for numbers before `first`. */
function solved(equations: Float64Array, first: number): Float64Array {
  const at = (row: number, column: number) =>
    equations[Math.min(row, column) * (SIZE + 1) + Math.max(row, column)]!;
  const count = SIZE - first;
  const rows = Array.from({ length: count }, (_, row) => [
    ...Array.from(
      { length: count },
      (_, column) => at(row + first, column + first) + (row === column ? HOLD : 0),
    ),
    equations[(row + first) * (SIZE + 1) + SIZE]!,
  ]);
  // Gaussian elimination. The matrix is positive definite, so it needs no pivoting.
  for (let pivot = 0; pivot < count; pivot += 1) {
    for (let row = pivot + 1; row < count; row += 1) {
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!;
      for (let column = pivot; column <= count; column += 1) {
        rows[row]![column]! -= factor * rows[pivot]![column]!;
      }
    }
  }
  const change = new Float64Array(SIZE);
  for (let row = count - 1; row >= 0; row -= 1) {
    let rest = rows[row]![count]!;
    for (let column = row + 1; column < count; column += 1)
      rest -= rows[row]![column]! * change[column + first]!;
    change[row + first] = rest / rows[row]![row]!;
  }
  return change;
}

/** Interpolates the brightness between pixels. The place must be inside the picture, but not in the last row or column. */
export function sampled({ width, luma }: Plane, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, low] = [x - left, y - top];
  const at = top * width + left;
  const upper = luma[at]! * (1 - right) + luma[at + 1]! * right;
  const lower = luma[at + width]! * (1 - right) + luma[at + width + 1]! * right;
  return upper * (1 - low) + lower * low;
}

/** Returns the mean difference that remains after the motion of a camera. Differences are capped. Uses every second pixel in every second row. */
function misfit(one: Plane, next: Plane, camera: Camera): number {
  const all = differences(one, next, camera);
  return all.length === 0
    ? CAP
    : all.reduce((sum, difference) => sum + Math.min(CAP, difference), 0) / all.length;
}

/** Returns the median of differences in brightness, with a precision of a quarter. */
export function medianOf(differences: Float32Array): number {
  const counts = new Uint32Array(256 * FINE);
  for (const difference of differences)
    counts[Math.min(counts.length - 1, Math.floor(difference * FINE))]! += 1;
  let [seen, value] = [0, 0];
  while (value < counts.length - 1 && seen + counts[value]! <= differences.length / 2) {
    seen += counts[value]!;
    value += 1;
  }
  return value / FINE;
}

/** The number of histogram bins for each step of brightness. */
const FINE = 4;

function differences(one: Plane, next: Plane, camera: Camera): Float32Array {
  const { width, height } = one;
  const found = new Float32Array(((width >> 1) + 1) * ((height >> 1) + 1));
  let count = 0;
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const fromX = x + camera.x + camera.zoom * (x - cx) - camera.turn * (y - cy);
      const fromY = y + camera.y + camera.zoom * (y - cy) + camera.turn * (x - cx);
      if (fromX < 0 || fromY < 0 || fromX > width - 2 || fromY > height - 2) continue;
      const expected = sampled(one, fromX, fromY) * (1 + camera.gain) + camera.offset;
      found[count] = Math.abs(next.luma[y * width + x]! - expected);
      count += 1;
    }
  }
  return found.subarray(0, count);
}
