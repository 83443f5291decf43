/** Reads WebVTT (W3C WebVTT: The Web Video Text Tracks Format). */
import { type Codes, encodeCharacters } from './character-codes.ts';
import type { Cue, ParsedCues } from './cue.ts';
import { ProblemLog } from './problem-log.ts';
import { withUnixLineEnds } from './text.ts';
import { CueTextReader } from './vtt-text.ts';
import {
  newTimeLine,
  readUsualTimeLine,
  type TimeLine,
  USUAL_ARROW,
  USUAL_TIME_LINE,
  type Words,
  wordsOf,
} from './vtt-times.ts';

/**
 * Reads any text as WebVTT with the parser of WebVTT §6.1. Every line with an arrow begins a cue. The cue ends at a
 * blank line or at the next arrow. Unlike the specification, the reader accepts a file without the signature. It skips
 * a cue if the times are not readable, the end is before the start, or there is no text. In each case it adds a
 * problem. It drops all tags except the first voice, and all settings except a position at the top.
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
const LESS_THAN = 60;

/**
 * Reads a text in one pass, from arrow to arrow. For speed, the reader searches only for single characters, and reads
 * other characters from an array of codes. It tries the usual layout of a time line first.
 */
class VttReader {
  readonly log: ProblemLog;
  readonly #text: string;
  readonly #codes: Codes;
  readonly #words: Words;
  readonly #cueTexts = new CueTextReader();
  #speaker: string | null = null;
  #nextTag: number;
  #nextReference: number;

  constructor(file: string) {
    const { text, codes } = encodeCharacters(withUnixLineEnds(file));
    this.#text = text;
    this.#codes = codes;
    this.#words = wordsOf(codes);
    this.log = new ProblemLog(text);
    this.#nextTag = text.indexOf('<');
    this.#nextReference = text.indexOf('&');
  }

  readCues(): Cue[] {
    const isPlain = this.#nextTag === -1 && this.#nextReference === -1;
    const cues: Cue[] = [];
    // Two objects are enough: one for the current cue, and one for the next cue, which ends the current one.
    let line = newTimeLine();
    let next = newTimeLine();
    let isThere = this.#findTimeLine(line, this.#endOfSignature());
    while (isThere) {
      const rest = isPlain ? this.#readUsualCues(line.start, cues) : line.start;
      if (rest > line.start && !this.#findTimeLine(line, rest)) break;
      isThere = this.#findTimeLine(next, line.end);
      const cue = this.#readCue(line, isThere ? next.start : this.#text.length);
      if (cue) cues.push(cue);
      const done = line;
      line = next;
      next = done;
    }
    return cues;
  }

  /**
   * Reads the usual kind of cues, from a time line on: cues of one or two lines without markup. Returns the offset of
   * the first time line that it did not read: the last one of the file, or the first unusual one.
   */
  #readUsualCues(from: number, cues: Cue[]): number {
    const text = this.#text;
    const codes = this.#codes;
    const words = this.#words;
    const line = newTimeLine();
    let at = from;
    for (;;) {
      if (!readUsualTimeLine(codes, words, at, line)) return at;
      const { start_ms, end_ms } = line;
      if (end_ms <= start_ms) return at;
      const begin = at + USUAL_TIME_LINE;
      const first = text.indexOf('\n', begin);
      if (!isLine(codes, begin, first)) return at;
      let lines: string[];
      let end = first;
      if (codes[first + 1] === LINE_FEED) {
        lines = [text.slice(begin, first)];
      } else {
        end = text.indexOf('\n', first + 1);
        if (!isLine(codes, first + 1, end) || codes[end + 1] !== LINE_FEED) return at;
        lines = [text.slice(begin, first), text.slice(first + 1, end)];
      }
      // A cue with an arrow in its text is unusual. Text between the blank line and the next time line belongs to no cue.
      const next = text.indexOf('>', begin) - 2 - USUAL_ARROW;
      if (next < end + 2 || codes[next - 1] !== LINE_FEED) return at;
      cues.push({ start_ms, end_ms, lines, speaker: null });
      at = next;
    }
  }

  #endOfSignature(): number {
    if (/^WEBVTT(?:[ \t\n]|$)/.test(this.#text)) return this.#lineFeedFrom(0);
    this.log.add(0, 'The file does not begin with WEBVTT.');
    return 0;
  }

  /** Finds the first line with an arrow from an offset on, and writes it to `line`. False if there is no such line. */
  #findTimeLine(line: TimeLine, offset: number): boolean {
    const arrow = this.#arrowFrom(offset);
    if (arrow === -1) return false;
    if (this.#isUsual(line, arrow - USUAL_ARROW)) return true;
    line.start = this.#text.lastIndexOf('\n', arrow) + 1;
    line.end = this.#lineFeedFrom(arrow);
    line.start_ms = -1;
    return true;
  }

  #isUsual(line: TimeLine, at: number): boolean {
    const isLineStart = at === 0 || this.#codes[at - 1] === LINE_FEED;
    return isLineStart && readUsualTimeLine(this.#codes, this.#words, at, line);
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

  /** Reads times in any layout. Returns whether the settings put the cue at the top. */
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

  /** Reads the text and the speaker of a cue. The text ends at a blank line or at the next time line. */
  #readText(from: number, limit: number): string[] {
    const text = this.#text;
    const codes = this.#codes;
    const start = this.#readFirstTag(from, limit);
    let lines = noLines;
    // Most cues have one or two lines, so the array is made only for a second line.
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

  /** Reads a voice tag at the start of a cue, which is the usual markup. Returns the offset of the text after the tag. */
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

// A percentage is a share of the picture's height. A number counts lines; a picture has about fifteen lines.
function isAtTop(setting: string): boolean {
  const found = LINE_SETTING.exec(setting);
  return found !== null && Number(found[1]) < (found[2] === '%' ? 50 : 7);
}

function msOf(found: RegExpExecArray, group: number): number {
  const [hours, minutes, seconds, ms] = found.slice(group, group + 4).map((digits) => Number(digits ?? 0));
  return Math.min(((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + ms!, Number.MAX_SAFE_INTEGER);
}

/** Whether the text between two offsets is not empty, and `trim()` would not change it. */
function isLine(codes: Codes, from: number, to: number): boolean {
  return to > from && isSolid(codes[from]!) && isSolid(codes[to - 1]!);
}

/** Whether `trim()` keeps a character. The white space of ECMA-262 is outside these ranges. */
function isSolid(code: number): boolean {
  return (code > SPACE && code < 0xa0) || (code > 0xa0 && code < 0x1680) || (code > 0x3000 && code < 0xfeff);
}

/** The lines of a cue without text. This array is shared and never changed. */
const noLines: string[] = [];
