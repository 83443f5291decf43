/** Finds lines of text: blobs of similar height, color and stroke, side by side. Textures rarely contain such rows. */
import type { Pixels } from '../local-packages.ts';
import { type Blob, findBlobs, type Layer } from './find-blobs.ts';

export interface Line {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly layer: Layer;
  readonly letterHeight: number;
  readonly letters: number;
  /** The gray of the strokes without their soft edges, 0 to 255. */
  readonly color: number;
}

/** The minimum height of letters. `MIN_HEIGHT` is a share of the picture's height (like `MAX_HEIGHT`). `MIN_PIXELS` is in pixels. */
const MIN_HEIGHT = 0.011;
const MIN_PIXELS = 8;
const MAX_HEIGHT = 0.25;
/** The minimum number of letters, unless letters are joined. `MIN_WIDTH` and other widths are multiples of the letters' height. */
const MIN_LETTERS = 4;
const MIN_WIDTH = 1.6;
const MIN_JOINED_WIDTH = 4;
/** The minimum share of letters whose lower edge is on the baseline. */
const MIN_ALIGNED = 0.65;
/** The maximum difference between the grays of neighboring letters, on a scale from 0 to 255. */
const MAX_COLOR_STEP = 40;
const MAX_COLOR_DEVIATION = 22;
const MAX_LINES = 14;

/** Returns the lines with the most letters first: false lines, from the insides or outlines of letters, have fewer letters. */
export const findTextLines = (picture: Pixels): Line[] =>
  findBlobs(picture)
    .flatMap((layer) => rowsOf(layer, picture).flatMap((row) => lineOf(row, layer)))
    .toSorted((one, other) => other.letters - one.letters)
    .slice(0, MAX_LINES);

const heightOf = ({ top, bottom }: { top: number; bottom: number }) => bottom - top;
const widthOf = ({ left, right }: { left: number; right: number }) => right - left;

function isLetterLike(blob: Blob, picture: Pixels): boolean {
  const [width, height] = [widthOf(blob), heightOf(blob)];
  const isSized =
    height >= Math.max(MIN_PIXELS, picture.height * MIN_HEIGHT) && height <= picture.height * MAX_HEIGHT;
  const isFilled = blob.pixels >= 0.12 * width * height;
  const isOfStrokes = blob.pixels / blob.runs <= 0.7 * height;
  return isSized && isFilled && isOfStrokes && width <= 20 * height;
}

/** Returns rows of blobs that look like letters, each from left to right. */
function rowsOf(layer: Layer, picture: Pixels): Blob[][] {
  const letters = layer.blobs
    .filter((blob) => isLetterLike(blob, picture))
    .sort((one, other) => one.left - other.left);
  const rows: Blob[][] = [];
  // The row of each letter that was already visited, by the index of the letter.
  const rowAt: number[] = [];
  for (const [at, letter] of letters.entries()) {
    let nearest = -1;
    for (let before = at - 1; before >= 0; before--) {
      if (letter.left - letters[before]!.left > picture.height) break;
      if (!isBeside(letters[before]!, letter)) continue;
      if (nearest < 0 || letters[before]!.right > letters[nearest]!.right) nearest = before;
    }
    if (nearest < 0) rowAt.push(rows.push([letter]) - 1);
    else {
      rows[rowAt[nearest]!]!.push(letter);
      rowAt.push(rowAt[nearest]!);
    }
  }
  return rows;
}

function isBeside(letter: Blob, next: Blob): boolean {
  const [height, other] = [heightOf(letter), heightOf(next)];
  const taller = Math.max(height, other);
  const isAlike = taller <= 2.2 * Math.min(height, other);
  const gap = next.left - letter.right;
  const isNear = gap <= 1.1 * taller && gap > -0.5 * taller;
  const shared = Math.min(letter.bottom, next.bottom) - Math.max(letter.top, next.top);
  const isLevel = shared >= 0.6 * Math.min(height, other);
  const [thick, otherThick] = [letter.pixels / letter.runs, next.pixels / next.runs];
  const isAsThick = Math.max(thick, otherThick) <= 3.5 * Math.min(thick, otherThick);
  return (
    isAlike && isNear && isLevel && isAsThick && Math.abs(letter.extreme - next.extreme) <= MAX_COLOR_STEP
  );
}

function lineOf(row: readonly Blob[], layer: Layer): Line[] {
  const edges = {
    left: Math.min(...row.map(({ left }) => left)),
    top: Math.min(...row.map(({ top }) => top)),
    right: Math.max(...row.map(({ right }) => right)),
    bottom: Math.max(...row.map(({ bottom }) => bottom)),
  };
  const letterHeight = median(row.map(heightOf));
  const isWide = widthOf(edges) >= MIN_WIDTH * letterHeight;
  const covered = row.reduce((sum, blob) => sum + widthOf(blob), 0);
  const isLong = row.length >= MIN_LETTERS || covered >= MIN_JOINED_WIDTH * letterHeight;
  if (!isWide || !isLong || deviation(row.map(({ gray }) => gray)) > MAX_COLOR_DEVIATION) return [];
  const floor = median(row.map(({ bottom }) => bottom));
  const standing = row.filter(({ bottom }) => Math.abs(bottom - floor) <= 0.18 * letterHeight + 1).length;
  return standing >= MIN_ALIGNED * row.length
    ? [
        {
          ...edges,
          layer,
          letterHeight,
          letters: row.length,
          color: median(row.map(({ extreme }) => extreme)),
        },
      ]
    : [];
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** The space around a line for dots, accents and commas, as a multiple of the height of its letters. */
const ROOM = 0.5;
/** The maximum difference in gray between a letter and its dot or accent. These marks differ because they are mostly soft edges. */
const MAX_MARK_STEP = 50;

/** Draws only the letters of the line with their marks, black on white, without the rest of the picture. */
export function drawLine(line: Line, { width, height }: Pixels): Pixels {
  const room = Math.round(ROOM * line.letterHeight);
  const left = Math.max(0, line.left - room);
  const top = Math.max(0, line.top - room);
  const right = Math.min(width, line.right + room);
  const bottom = Math.min(height, line.bottom + room);
  const belongs = line.layer.blobs.map(
    (blob) =>
      Math.abs(blob.extreme - line.color) <= MAX_MARK_STEP &&
      blob.left >= left &&
      blob.right <= right &&
      blob.top >= top &&
      blob.bottom <= bottom,
  );
  const data = new Uint8Array((right - left) * (bottom - top)).fill(255);
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const blob = line.layer.numbers[y * width + x]!;
      if (blob !== 0 && belongs[blob - 1]) data[(y - top) * (right - left) + x - left] = 0;
    }
  return { data, width: right - left, height: bottom - top };
}
