/** Reads WebVTT (W3C WebVTT: The Web Video Text Tracks Format). */

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
  const reader = new VttReader(withUnixLineEnds(file).replaceAll('\0', '\ufffd'));
  return { cues: reader.readCues(), problems: reader.log.problems };
}

// WebVTT §6.3, "collect a WebVTT timestamp": hours are optional and take any number of digits.
const TIMESTAMP = String.raw`(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)`;
const TIMINGS = new RegExp(String.raw`^[ \t\f]*${TIMESTAMP}[ \t\f]*-->[ \t\f]*${TIMESTAMP}`);
const SETTING = /^(?:vertical|line|position|size|align|region):./;
const LINE_SETTING = /^line:(\d+(?:\.\d+)?)(%?)(?:,|$)/;

const LINE_FEED = 10;
const SPACE = 32;
const LESS_THAN = 60;

/** A line with an arrow: where it is, and its times, below zero while they have not been read. */
type TimeLine = { start: number; end: number; start_ms: number; end_ms: number };

/**
 * Goes through a text once, from arrow to arrow. It searches for single characters only, and tries the usual
 * layout of a time line before the general one: that is what makes it fast.
 */
class VttReader {
  readonly log: ProblemLog;
  readonly #text: string;
  readonly #cueTexts = new CueTextReader();
  #nextTag: number;
  #nextReference: number;

  constructor(text: string) {
    this.#text = text;
    this.log = new ProblemLog(text);
    this.#nextTag = text.indexOf('<');
    this.#nextReference = text.indexOf('&');
  }

  readCues(): Cue[] {
    const cues: Cue[] = [];
    let line = this.#timeLineFrom(this.#endOfSignature());
    while (line) {
      const next = this.#timeLineFrom(line.end);
      const cue = this.#readCue(line, next ? next.start : this.#text.length);
      if (cue) cues.push(cue);
      line = next;
    }
    return cues;
  }

  #endOfSignature(): number {
    if (/^WEBVTT(?:[ \t\n]|$)/.test(this.#text)) return this.#lineFeedFrom(0);
    this.log.add(0, 'The file does not begin with WEBVTT.');
    return 0;
  }

  #timeLineFrom(offset: number): TimeLine | undefined {
    const arrow = this.#arrowFrom(offset);
    if (arrow === -1) return undefined;
    const usual = this.#usualTimeLine(arrow);
    if (usual) return usual;
    const start = this.#text.lastIndexOf('\n', arrow) + 1;
    return { start, end: this.#lineFeedFrom(arrow), start_ms: -1, end_ms: -1 };
  }

  #arrowFrom(offset: number): number {
    const text = this.#text;
    let at = text.indexOf('>', offset + 2);
    while (at !== -1 && !(text.charCodeAt(at - 1) === 45 && text.charCodeAt(at - 2) === 45)) {
      at = text.indexOf('>', at + 1);
    }
    return at === -1 ? -1 : at - 2;
  }

  /** `hh:mm:ss.mmm --> hh:mm:ss.mmm` and nothing else, as most lines are. */
  #usualTimeLine(arrow: number): TimeLine | undefined {
    const text = this.#text;
    const start = arrow - 13;
    const end = arrow + 16;
    const isAlone =
      start > 0 &&
      end < text.length &&
      text.charCodeAt(start - 1) === LINE_FEED &&
      text.charCodeAt(arrow - 1) === SPACE &&
      text.charCodeAt(arrow + 3) === SPACE &&
      text.charCodeAt(end) === LINE_FEED;
    if (!isAlone) return undefined;
    const start_ms = usualTimestamp(text, start);
    const end_ms = usualTimestamp(text, arrow + 4);
    return start_ms >= 0 && end_ms >= 0 ? { start, end, start_ms, end_ms } : undefined;
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
    const cue: Cue = { start_ms, end_ms, lines: [], speaker: null };
    this.#readText(cue, line.end + 1, limit);
    if (isTop) cue.position = 'top';
    if (cue.lines.length > 0) return cue;
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

  /** Reads the text from an offset to a blank line, or to the line with the next arrow. */
  #readText(cue: Cue, from: number, limit: number): void {
    const text = this.#text;
    let at = this.#readFirstTag(cue, from, limit);
    const start = at;
    while (at < limit && text.charCodeAt(at) !== LINE_FEED) {
      const end = this.#lineFeedFrom(at);
      cue.lines = withLine(cue.lines, text, at, end);
      at = end + 1;
    }
    if (!this.#hasMarkup(start, at)) return;
    const read = this.#cueTexts.read(text.slice(from, at));
    cue.speaker = read.speaker;
    cue.lines = [];
    for (const line of read.text.split('\n')) cue.lines = withLine(cue.lines, line, 0, line.length);
  }

  /** Most cues with markup begin with a voice and have no other: where the text goes on after that. */
  #readFirstTag(cue: Cue, from: number, limit: number): number {
    if (from >= limit || this.#text.charCodeAt(from) !== LESS_THAN) return from;
    const closing = this.#text.indexOf('>', from);
    const isOnFirstLine = closing !== -1 && closing + 1 < limit && closing + 1 < this.#lineFeedFrom(from);
    if (!isOnFirstLine) return from;
    cue.speaker = this.#cueTexts.voiceOf(this.#text.slice(from + 1, closing));
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

/** `hh:mm:ss.mmm` at an offset in milliseconds, or below zero if it is not exactly that. */
function usualTimestamp(text: string, at: number): number {
  const h1 = text.charCodeAt(at) - 48;
  const h2 = text.charCodeAt(at + 1) - 48;
  const m1 = text.charCodeAt(at + 3) - 48;
  const m2 = text.charCodeAt(at + 4) - 48;
  const s1 = text.charCodeAt(at + 6) - 48;
  const s2 = text.charCodeAt(at + 7) - 48;
  const f1 = text.charCodeAt(at + 9) - 48;
  const f2 = text.charCodeAt(at + 10) - 48;
  const f3 = text.charCodeAt(at + 11) - 48;
  // The sign bit of each term is set when a figure is below 0 or above its highest.
  const low = h1 | h2 | m1 | m2 | s1 | s2 | f1 | f2 | f3;
  const high =
    (9 - h1) | (9 - h2) | (5 - m1) | (9 - m2) | (5 - s1) | (9 - s2) | (9 - f1) | (9 - f2) | (9 - f3);
  const isUsual =
    (low | high) >= 0 &&
    text.charCodeAt(at + 2) === 58 &&
    text.charCodeAt(at + 5) === 58 &&
    text.charCodeAt(at + 8) === 46;
  if (!isUsual) return -1;
  const seconds = (h1 * 10 + h2) * 3600 + (m1 * 10 + m2) * 60 + s1 * 10 + s2;
  return seconds * 1000 + f1 * 100 + f2 * 10 + f3;
}

/** The lines and one more, unless it is blank. */
function withLine(lines: string[], text: string, from: number, to: number): string[] {
  const first = text.charCodeAt(from);
  const last = text.charCodeAt(to - 1);
  const isTrimmed = first > SPACE && first < 127 && last > SPACE && last < 127;
  const line = isTrimmed ? text.slice(from, to) : text.slice(from, to).trim();
  if (line === '') return lines;
  // Most cues have one line or two: an array that `push` grows has room for seventeen.
  if (lines.length === 0) return [line];
  if (lines.length === 1) return [lines[0]!, line];
  lines.push(line);
  return lines;
}
