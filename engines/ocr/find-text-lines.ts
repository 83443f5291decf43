/**
 * Finds lines of letters among blots of ink: blots of about one height, beside each other on one line, of one colour and with
 * strokes of one thickness. Textures have plenty of blots, and hardly ever such a row of them.
 */
import { type Blot, type GreyPixels, type Ink, inksOf } from './find-blobs.ts';

/** Where letters stand in a row, in pixels. */
export interface Line {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly ink: Ink;
  /** The height of most of its letters. */
  readonly letter: number;
  /** How many blots it is made of. */
  readonly letters: number;
  /** The grey of its strokes without their soft edges. */
  readonly colour: number;
}

/** Letters have so much of the picture's height, and at least so many pixels. */
const LEAST_HEIGHT = 0.011;
const LEAST_PIXELS = 8;
const MOST_HEIGHT = 0.25;
/** A line has so many letters, or fewer that are joined; it is so many times as wide as they are high. */
const LEAST_LETTERS = 4;
const LEAST_WIDTH = 1.6;
const LEAST_JOINED_WIDTH = 4;
/** Of a line's letters, so many stand on it or hang from its upper edge. */
const ALIGNED = 0.65;
/** The greys of letters that follow each other differ by so much at most, of 255. */
const ONE_COLOUR = 40;
/** Their standard deviation in a line. */
const OF_ONE_COLOUR = 22;
/** The most lines of a picture. */
const MOST_LINES = 14;

/** Those of most letters first: of text, which has the insides of its letters for another line, and its surroundings. */
export function linesOf(picture: GreyPixels): Line[] {
  const { light, dark } = inksOf(picture);
  return [light, dark]
    .flatMap((ink) => rowsOf(ink, picture).flatMap((row) => lineOf(row, ink)))
    .toSorted((one, other) => other.letters - one.letters)
    .slice(0, MOST_LINES);
}

const heightOf = ({ top, bottom }: { top: number; bottom: number }) => bottom - top;
const widthOf = ({ left, right }: { left: number; right: number }) => right - left;

function isLetterLike(blot: Blot, picture: GreyPixels): boolean {
  const [width, height] = [widthOf(blot), heightOf(blot)];
  const isSized =
    height >= Math.max(LEAST_PIXELS, picture.height * LEAST_HEIGHT) && height <= picture.height * MOST_HEIGHT;
  const isFilled = blot.pixels >= 0.12 * width * height;
  const isOfStrokes = blot.pixels / blot.runs <= 0.7 * height;
  return isSized && isFilled && isOfStrokes && width <= 20 * height;
}

/** Blots that follow each other, by the first's index in reading direction. */
function rowsOf(ink: Ink, picture: GreyPixels): Blot[][] {
  const letters = ink.blots
    .filter((blot) => isLetterLike(blot, picture))
    .sort((one, other) => one.left - other.left);
  const rows: Blot[][] = [];
  // The row of a letter that was looked at, by its index.
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

/** Whether `next` may follow `letter` in its line. */
function isBeside(letter: Blot, next: Blot): boolean {
  const [height, other] = [heightOf(letter), heightOf(next)];
  const taller = Math.max(height, other);
  const isAlike = taller <= 2.2 * Math.min(height, other);
  const gap = next.left - letter.right;
  const isNear = gap <= 1.1 * taller && gap > -0.5 * taller;
  const shared = Math.min(letter.bottom, next.bottom) - Math.max(letter.top, next.top);
  const isLevel = shared >= 0.6 * Math.min(height, other);
  const [thick, otherThick] = [letter.pixels / letter.runs, next.pixels / next.runs];
  const isAsThick = Math.max(thick, otherThick) <= 3.5 * Math.min(thick, otherThick);
  return isAlike && isNear && isLevel && isAsThick && Math.abs(letter.extreme - next.extreme) <= ONE_COLOUR;
}

function lineOf(row: readonly Blot[], ink: Ink): Line[] {
  const edges = {
    left: Math.min(...row.map(({ left }) => left)),
    top: Math.min(...row.map(({ top }) => top)),
    right: Math.max(...row.map(({ right }) => right)),
    bottom: Math.max(...row.map(({ bottom }) => bottom)),
  };
  const letter = median(row.map(heightOf));
  const isWide = widthOf(edges) >= LEAST_WIDTH * letter;
  const covered = row.reduce((sum, blot) => sum + widthOf(blot), 0);
  const isLong = row.length >= LEAST_LETTERS || covered >= LEAST_JOINED_WIDTH * letter;
  if (!isWide || !isLong || deviation(row.map(({ grey }) => grey)) > OF_ONE_COLOUR) return [];
  const floor = median(row.map(({ bottom }) => bottom));
  const standing = row.filter(({ bottom }) => Math.abs(bottom - floor) <= 0.18 * letter + 1).length;
  return standing >= ALIGNED * row.length
    ? [{ ...edges, ink, letter, letters: row.length, colour: median(row.map(({ extreme }) => extreme)) }]
    : [];
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Room around a line for what is no letter by itself: dots, accents, commas; as a share of the letters' height. */
const ROOM = 0.5;
/** By so much the grey of dots and accents, which are mostly edge, differs from that of letters. */
const OF_THE_LINE = 50;

/** The line alone, black on white: its letters and what belongs to them, and nothing of the picture behind. */
export function drawn(
  line: Line,
  { width, height }: GreyPixels,
): GreyPixels & { readonly left: number; readonly top: number } {
  const room = Math.round(ROOM * line.letter);
  const left = Math.max(0, line.left - room);
  const top = Math.max(0, line.top - room);
  const right = Math.min(width, line.right + room);
  const bottom = Math.min(height, line.bottom + room);
  const belongs = line.ink.blots.map(
    (blot) =>
      Math.abs(blot.extreme - line.colour) <= OF_THE_LINE &&
      blot.left >= left &&
      blot.right <= right &&
      blot.top >= top &&
      blot.bottom <= bottom,
  );
  const data = new Uint8Array((right - left) * (bottom - top)).fill(255);
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const blot = line.ink.of[y * width + x]!;
      if (blot !== 0 && belongs[blot - 1]) data[(y - top) * (right - left) + x - left] = 0;
    }
  return { data, width: right - left, height: bottom - top, left, top };
}
