/** Reads WebVTT (W3C WebVTT: The Web Video Text Tracks Format). */

import { withoutNulls } from './codes.ts';
import type { Cue, ParsedCues } from './cue.ts';
import { ProblemLog } from './problems.ts';
import { withUnixLineEnds } from './text.ts';
import { CueTextReader } from './vtt-text.ts';

/**
 * Reads any text as WebVTT by the parser of WebVTT §6.1: every line with an arrow begins a cue, up to a
 * blank line or the next arrow. Beyond the specification it goes on without the signature. A cue is left
 * out, with a problem, when its times cannot be read, it ends before it starts, or it has no text; tags
 * are dropped but for the first voice, settings but for a place at the top.
 */
export function parseVtt(file: string): ParsedCues {
  // WebVTT §6.1, steps 1 to 3.
  const reader = new VttReader(file);
  return { cues: reader.readCues(), problems: reader.log.problems };
}

// WebVTT §6.3, "collect a WebVTT timestamp": hours are optional and take any number of digits.
const TIMESTAMP = String.raw`(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)`;
const TIMINGS = new RegExp(String.raw`^[ \t\f]*${TIMESTAMP}[ \t\f]*-->[ \t\f]*${TIMESTAMP}`);
const SETTING = /^(?:vertical|line|position|size|align|region):./;
const LINE_SETTING = /^line:(\d+(?:\.\d+)?)(%?)(?:,|$)/;

const LINE_FEED = 10;
const SPACE = 32;
const HYPHEN = 45;
const POINT = 46;
const FIGURE_0 = 48;
const COLON = 58;
const LESS_THAN = 60;

type Codes = Uint8Array | Uint16Array;

/** A line with an arrow: where it is, and its times, below zero while they have not been read. */
type TimeLine = { start: number; end: number; start_ms: number; end_ms: number };

const newTimeLine = (): TimeLine => ({ start: 0, end: 0, start_ms: -1, end_ms: -1 });

/**
 * Goes through a text once, from arrow to arrow. It searches for single characters only, looks at others in an array
 * of their codes, and tries the usual layout of a time line before any other: that is what makes it fast.
 */
class VttReader {
  readonly log: ProblemLog;
  readonly #text: string;
  readonly #codes: Codes;
  readonly #cueTexts = new CueTextReader();
  /** Who speaks in the cue that is being read. */
  #speaker: string | null = null;
  #nextTag: number;
  #nextReference: number;

  constructor(file: string) {
    const { text, codes } = withoutNulls(withUnixLineEnds(file));
    this.#text = text;
    this.#codes = codes;
    this.log = new ProblemLog(text);
    this.#nextTag = text.indexOf('<');
    this.#nextReference = text.indexOf('&');
  }

  readCues(): Cue[] {
    const text = this.#text;
    const codes = this.#codes;
    const isPlain = this.#nextTag === -1 && this.#nextReference === -1;
    const cues: Cue[] = [];
    // Two are enough: the one whose cue is read, and the next, which ends it.
    let line = newTimeLine();
    let next = newTimeLine();
    let isThere = this.#findTimeLine(line, this.#endOfSignature());
    while (isThere) {
      isThere = this.#findTimeLine(next, line.end);
      const limit = isThere ? next.start : text.length;
      const cue = (isPlain && usualCue(text, codes, line, limit)) || this.#readCue(line, limit);
      if (cue) cues.push(cue);
      const done = line;
      line = next;
      next = done;
    }
    return cues;
  }

  #endOfSignature(): number {
    if (/^WEBVTT(?:[ \t\n]|$)/.test(this.#text)) return this.#lineFeedFrom(0);
    this.log.add(0, 'The file does not begin with WEBVTT.');
    return 0;
  }

  /** Makes `line` the first from an offset that has an arrow; false where there is none. */
  #findTimeLine(line: TimeLine, offset: number): boolean {
    const arrow = this.#arrowFrom(offset);
    if (arrow === -1) return false;
    if (readUsualTimeLine(this.#codes, arrow, line)) return true;
    line.start = this.#text.lastIndexOf('\n', arrow) + 1;
    line.end = this.#lineFeedFrom(arrow);
    line.start_ms = -1;
    return true;
  }

  #arrowFrom(offset: number): number {
    const text = this.#text;
    const codes = this.#codes;
    let at = text.indexOf('>', offset + 2);
    while (at !== -1 && !(codes[at - 1] === HYPHEN && codes[at - 2] === HYPHEN)) {
      at = text.indexOf('>', at + 1);
    }
    return at === -1 ? -1 : at - 2;
  }

  #lineFeedFrom(offset: number): number {
    const found = this.#text.indexOf('\n', offset);
    return found === -1 ? this.#text.length : found;
  }

  #readCue(line: TimeLine, limit: number): Cue | undefined {
    const isTop = line.start_ms < 0 && this.#readTimes(line);
    const { start_ms, end_ms } = line;
    if (start_ms < 0) return undefined;
    if (end_ms <= start_ms) {
      this.log.add(line.start, 'The cue does not end after it starts.');
      return undefined;
    }
    this.#speaker = null;
    const lines = this.#readText(line.end + 1, limit);
    const cue: Cue = { start_ms, end_ms, lines, speaker: this.#speaker };
    if (isTop) cue.position = 'top';
    if (lines.length > 0) return cue;
    this.log.add(line.start, 'The cue has no text.');
    return undefined;
  }

  /** Reads times in any layout, unless there are none; tells whether the settings put the cue at the top. */
  #readTimes(line: TimeLine): boolean {
    const source = this.#text.slice(line.start, line.end);
    const found = TIMINGS.exec(source);
    if (!found) {
      this.log.add(line.start, 'The times of the cue cannot be read.');
      return false;
    }
    line.start_ms = msOf(found, 1);
    line.end_ms = msOf(found, 5);
    const rest = source.slice(found[0].length).split(/[ \t\f]+/);
    const settings = rest.filter((setting) => setting !== '');
    for (const setting of settings) {
      if (!SETTING.test(setting)) this.log.add(line.start, `The cue has an unknown setting: ${setting}`);
    }
    return settings.some(isAtTop);
  }

  /** Reads the text from an offset to a blank line, or to the line with the next arrow; and who speaks it. */
  #readText(from: number, limit: number): string[] {
    const text = this.#text;
    const codes = this.#codes;
    const start = this.#readFirstTag(from, limit);
    let lines = noLines;
    // Kept back until it is known whether another follows: most cues have one line or two.
    let first = '';
    let at = start;
    while (at < limit && codes[at] !== LINE_FEED) {
      const end = this.#lineFeedFrom(at);
      const isTrimmed = isSolid(codes[at]!) && isSolid(codes[end - 1]!);
      const line = isTrimmed ? text.slice(at, end) : text.slice(at, end).trim();
      at = end + 1;
      if (line === '') continue;
      if (first === '') first = line;
      else if (lines === noLines) lines = [first, line];
      else lines.push(line);
    }
    if (this.#hasMarkup(start, at)) return this.#readMarkup(text.slice(from, at));
    return lines === noLines && first !== '' ? [first] : lines;
  }

  #readMarkup(source: string): string[] {
    const { text, speaker } = this.#cueTexts.read(source);
    this.#speaker = speaker;
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }

  /** Most cues with markup begin with a voice and have no other: where the text goes on after that. */
  #readFirstTag(from: number, limit: number): number {
    if (from >= limit || this.#codes[from] !== LESS_THAN) return from;
    const closing = this.#text.indexOf('>', from);
    const isOnFirstLine = closing !== -1 && closing + 1 < limit && closing + 1 < this.#lineFeedFrom(from);
    if (!isOnFirstLine) return from;
    this.#speaker = this.#cueTexts.voiceOf(this.#text.slice(from + 1, closing));
    return closing + 1;
  }

  #hasMarkup(from: number, to: number): boolean {
    if (this.#nextTag !== -1 && this.#nextTag < from) this.#nextTag = this.#text.indexOf('<', from);
    if (this.#nextReference !== -1 && this.#nextReference < from)
      this.#nextReference = this.#text.indexOf('&', from);
    const hasTag = this.#nextTag !== -1 && this.#nextTag < to;
    return hasTag || (this.#nextReference !== -1 && this.#nextReference < to);
  }
}

// A percentage is of the picture's height; a number counts lines, of which a picture holds about fifteen.
function isAtTop(setting: string): boolean {
  const found = LINE_SETTING.exec(setting);
  return found !== null && Number(found[1]) < (found[2] === '%' ? 50 : 7);
}

function msOf(found: RegExpExecArray, group: number): number {
  const [hours, minutes, seconds, ms] = found.slice(group, group + 4).map((digits) => Number(digits ?? 0));
  return Math.min(((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + ms!, Number.MAX_SAFE_INTEGER);
}

/** Reads `hh:mm:ss.mmm --> hh:mm:ss.mmm` around an arrow, if it is that and nothing else, as most lines are. */
function readUsualTimeLine(codes: Codes, arrow: number, line: TimeLine): boolean {
  const start = arrow - 13;
  const end = arrow + 16;
  const isAlone =
    start > 0 &&
    end < codes.length &&
    codes[start - 1] === LINE_FEED &&
    codes[arrow - 1] === SPACE &&
    codes[arrow + 3] === SPACE &&
    codes[end] === LINE_FEED;
  if (!isAlone) return false;
  line.start = start;
  line.end = end;
  line.start_ms = usualTimestamp(codes, start);
  line.end_ms = usualTimestamp(codes, arrow + 4);
  return line.start_ms >= 0 && line.end_ms >= 0;
}

/** `hh:mm:ss.mmm` at an offset in milliseconds, or below zero if it is not exactly that. */
function usualTimestamp(codes: Codes, at: number): number {
  const h1 = codes[at]! - FIGURE_0;
  const h2 = codes[at + 1]! - FIGURE_0;
  const m1 = codes[at + 3]! - FIGURE_0;
  const m2 = codes[at + 4]! - FIGURE_0;
  const s1 = codes[at + 6]! - FIGURE_0;
  const s2 = codes[at + 7]! - FIGURE_0;
  const f1 = codes[at + 9]! - FIGURE_0;
  const f2 = codes[at + 10]! - FIGURE_0;
  const f3 = codes[at + 11]! - FIGURE_0;
  // The sign bit of each term is set when a figure is below 0 or above its highest.
  const low = h1 | h2 | m1 | m2 | s1 | s2 | f1 | f2 | f3;
  const high =
    (9 - h1) | (9 - h2) | (5 - m1) | (9 - m2) | (5 - s1) | (9 - s2) | (9 - f1) | (9 - f2) | (9 - f3);
  const isUsual =
    (low | high) >= 0 && codes[at + 2] === COLON && codes[at + 5] === COLON && codes[at + 8] === POINT;
  if (!isUsual) return -1;
  const seconds = (h1 * 10 + h2) * 3600 + (m1 * 10 + m2) * 60 + s1 * 10 + s2;
  return seconds * 1000 + f1 * 100 + f2 * 10 + f3;
}

/** A cue of one line or two without markup, as most are; undefined where it may be another. */
function usualCue(
  text: string,
  codes: Codes,
  { end, start_ms, end_ms }: TimeLine,
  limit: number,
): Cue | undefined {
  const from = end + 1;
  const first = text.indexOf('\n', from);
  if (start_ms < 0 || end_ms <= start_ms || !isLine(codes, from, first, limit)) return undefined;
  const after = first + 1;
  if (isBlank(codes, after, limit))
    return { start_ms, end_ms, lines: [text.slice(from, first)], speaker: null };
  const second = text.indexOf('\n', after);
  if (!isLine(codes, after, second, limit) || !isBlank(codes, second + 1, limit)) return undefined;
  const lines = [text.slice(from, first), text.slice(after, second)];
  return { start_ms, end_ms, lines, speaker: null };
}

/** Whether a line that `trim()` leaves as it is lies between two offsets, before the limit. */
function isLine(codes: Codes, from: number, to: number, limit: number): boolean {
  return to > from && to < limit && isSolid(codes[from]!) && isSolid(codes[to - 1]!);
}

function isBlank(codes: Codes, at: number, limit: number): boolean {
  return at >= limit || codes[at] === LINE_FEED;
}

/** Whether `trim()` would leave a character: those it may take (ECMA-262, WhiteSpace) lie between and around these. */
function isSolid(code: number): boolean {
  return (code > SPACE && code < 0xa0) || (code > 0xa0 && code < 0x1680) || (code > 0x3000 && code < 0xfeff);
}

/** Of a cue without text; it stays empty. */
const noLines: string[] = [];
