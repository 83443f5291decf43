/** Reads WebVTT times in the layout of nearly all files: `hh:mm:ss.mmm --> hh:mm:ss.mmm`, without settings. */
import type { Codes } from './character-codes.ts';

/** A line with an arrow: its place and its times. The times are negative until the reader has read them. */
export type TimeLine = { start: number; end: number; start_ms: number; end_ms: number };

export const newTimeLine = (): TimeLine => ({ start: 0, end: 0, start_ms: -1, end_ms: -1 });

export const USUAL_TIME_LINE = 30;
/** The offset of the arrow in a usual time line. */
export const USUAL_ARROW = 13;

const LINE_FEED = 10;
const SPACE = 32;
const HYPHEN = 45;
const POINT = 46;
const FIGURE_0 = 48;
const COLON = 58;
const GREATER_THAN = 62;

/** ` -->`: four characters as one number, with the first character in the lowest byte. */
const ARROW = 0x3e2d2d20;

/** One-byte codes, read four at a time. Undefined for two-byte codes. */
export type Words = DataView | undefined;

export function wordsOf(codes: Codes): Words {
  if (codes.BYTES_PER_ELEMENT !== 1) return undefined;
  return new DataView(codes.buffer, codes.byteOffset, codes.byteLength);
}

export function readUsualTimeLine(codes: Codes, words: Words, at: number, line: TimeLine): boolean {
  if (at < 0 || at + USUAL_TIME_LINE > codes.length) return false;
  line.start = at;
  line.end = at + USUAL_TIME_LINE - 1;
  if (words ? !hasUsualMarks(words, at) : !hasUsualMarksWide(codes, at)) return false;
  line.start_ms = words ? timestampIn(words, at) : wideTimestampIn(codes, at);
  line.end_ms = words ? timestampIn(words, at + 17) : wideTimestampIn(codes, at + 17);
  return line.start_ms >= 0 && line.end_ms >= 0;
}

function hasUsualMarks(words: DataView, at: number): boolean {
  return (
    words.getInt32(at + 12, true) === ARROW &&
    words.getUint8(at + 16) === SPACE &&
    words.getUint8(at + 29) === LINE_FEED
  );
}

function hasUsualMarksWide(codes: Codes, at: number): boolean {
  return (
    codes[at + 12] === SPACE &&
    codes[at + 13] === HYPHEN &&
    codes[at + 14] === HYPHEN &&
    codes[at + 15] === GREATER_THAN &&
    codes[at + 16] === SPACE &&
    codes[at + 29] === LINE_FEED
  );
}

/** `hh:mm:ss.mmm` at an offset, in ms; negative for any other form. Four characters at once take half the time. */
function timestampIn(words: DataView, at: number): number {
  // XOR maps each expected digit to its value, and each expected mark to 0.
  const hours = words.getInt32(at, true) ^ 0x303a3030;
  const seconds = words.getInt32(at + 4, true) ^ 0x30303a30;
  const fraction = words.getInt32(at + 8, true) ^ 0x3030302e;
  // Adding 6 carries into the upper half of the byte if a digit is above 9. Adding 10 does so if a digit is above 5.
  const strange =
    ((hours | (hours + 0x0a000606)) & 0xf0fff0f0) |
    ((seconds | (seconds + 0x060a0006)) & 0xf0f0fff0) |
    ((fraction | (fraction + 0x06060600)) & 0xf0f0f0ff);
  if (strange !== 0) return -1;
  const h = (hours & 15) * 10 + ((hours >> 8) & 15);
  const m = (hours >> 24) * 10 + (seconds & 15);
  const s = ((seconds >> 16) & 15) * 10 + (seconds >> 24);
  const ms = ((fraction >> 8) & 15) * 100 + ((fraction >> 16) & 15) * 10 + (fraction >> 24);
  return ((h * 60 + m) * 60 + s) * 1000 + ms;
}

/** Does the same as `timestampIn` for two-byte codes, one code at a time. */
function wideTimestampIn(codes: Codes, at: number): number {
  const h1 = codes[at]! - FIGURE_0;
  const h2 = codes[at + 1]! - FIGURE_0;
  const m1 = codes[at + 3]! - FIGURE_0;
  const m2 = codes[at + 4]! - FIGURE_0;
  const s1 = codes[at + 6]! - FIGURE_0;
  const s2 = codes[at + 7]! - FIGURE_0;
  const f1 = codes[at + 9]! - FIGURE_0;
  const f2 = codes[at + 10]! - FIGURE_0;
  const f3 = codes[at + 11]! - FIGURE_0;
  // The sign bit of a term is set if a digit is below 0 or above its highest value.
  const low = h1 | h2 | m1 | m2 | s1 | s2 | f1 | f2 | f3;
  const high =
    (9 - h1) | (9 - h2) | (5 - m1) | (9 - m2) | (5 - s1) | (9 - s2) | (9 - f1) | (9 - f2) | (9 - f3);
  const isUsual =
    (low | high) >= 0 && codes[at + 2] === COLON && codes[at + 5] === COLON && codes[at + 8] === POINT;
  if (!isUsual) return -1;
  const seconds = (h1 * 10 + h2) * 3600 + (m1 * 10 + m2) * 60 + s1 * 10 + s2;
  return seconds * 1000 + f1 * 100 + f2 * 10 + f3;
}
