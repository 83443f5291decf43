/** Writes and reads WebVTT (W3C WebVTT: The Web Video Text Tracks Format). */

import type { Cue, ParsedCues } from './cue.ts';
import { ProblemLog } from './problems.ts';
import { inOnePlace } from './sounds.ts';
import { cleanLines, cleanText } from './text.ts';
import { timestamp, writableCues } from './timestamps.ts';
import { escapeCueText, readCueText } from './vtt-text.ts';

export type VttOptions = {
  /**
   * `standard` carries who speaks (`<v Ana>`), cue identifiers, positions and a note of the language;
   * `simplified` carries times and text alone.
   */
  flavor: 'standard' | 'simplified';
  /** BCP 47 tag, for the note and for where lines may break. */
  language?: string;
};

/**
 * A WebVTT file of the cues that have any text, in order of their start; `\n` line ends, no byte order
 * mark. Whatever the cues hold, the file is valid: texts are escaped and cleaned, impossible times mended.
 */
export function writeVtt(cues: readonly Cue[], { flavor, language }: VttOptions): string {
  const isStandard = flavor === 'standard';
  const writable = writableCues(cues);
  const shown = isStandard ? writable : inOnePlace(writable, language);
  let file = 'WEBVTT\n';
  if (isStandard && language) file += `\nNOTE Language: ${escapeCueText(cleanText(language))}\n`;
  let number = 0;
  for (const cue of shown) {
    const text = payload(cue.lines);
    if (text === '') continue;
    const times = `${timestamp(cue.start_ms, '.')} --> ${timestamp(cue.end_ms, '.')}`;
    file += isStandard
      ? `\n${++number}\n${times}${settings(cue)}\n${voice(cue)}${text}\n`
      : `\n${times}\n${text}\n`;
  }
  return file;
}

// WebVTT §4.4: `line:0` is the first line from the top.
function settings(cue: Cue): string {
  return cue.position === 'top' ? ' line:0' : '';
}

// WebVTT §4.2.2: a voice span that is the whole cue may leave out its end tag.
function voice(cue: Cue): string {
  const name = cue.speaker === null ? '' : cleanText(cue.speaker);
  return name === '' ? '' : `<v ${escapeCueText(name)}>`;
}

// Anything that `cleanLines` or escaping changes, or might: not among the usual characters, or a stray space.
const NEEDS_CARE =
  /[^ !-%'-;=?-~\u00a0-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\uffff]|^\s|\s$| {2}/;

function payload(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    const written = NEEDS_CARE.test(line) ? cleanLines([line]).map(escapeCueText).join('\n') : line;
    if (written !== '') text += text === '' ? written : `\n${written}`;
  }
  return text;
}

// WebVTT §6.3, "collect a WebVTT timestamp": hours are optional and take any number of digits.
const TIMESTAMP = String.raw`(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)`;
const TIMINGS = new RegExp(String.raw`^[ \t\f]*${TIMESTAMP}[ \t\f]*-->[ \t\f]*${TIMESTAMP}`);
const SETTING = /^(?:vertical|line|position|size|align|region):./;
const LINE_SETTING = /^line:(\d+(?:\.\d+)?)(%?)(?:,|$)/;

/**
 * Reads any text as WebVTT by the parser of WebVTT §6.1: every line with an arrow begins a cue, up to a
 * blank line or the next arrow. Beyond the specification it goes on without the signature. A cue is left
 * out, with a problem, when its times cannot be read, it ends before it starts, or it has no text; tags
 * are dropped but for the first voice, settings but for a place at the top.
 */
export function parseVtt(file: string): ParsedCues {
  const text = withUnixLineEnds(file);
  const log = new ProblemLog(text);
  const cues: Cue[] = [];
  let arrow = text.indexOf('-->', endOfSignature(text, log));
  let blank = -1;
  while (arrow !== -1) {
    const line = text.lastIndexOf('\n', arrow) + 1;
    const lineEnd = orEnd(text.indexOf('\n', arrow), text);
    const nextArrow = text.indexOf('-->', lineEnd);
    const nextLine = nextArrow === -1 ? text.length : text.lastIndexOf('\n', nextArrow);
    if (blank < lineEnd) blank = orEnd(text.indexOf('\n\n', lineEnd), text);
    const cue = readCue(text, line, lineEnd, Math.min(blank, nextLine), log);
    if (cue) cues.push(cue);
    arrow = nextArrow;
  }
  return { cues, problems: log.problems };
}

// WebVTT §6.1, steps 1 to 3: NUL becomes U+FFFD, every line end a line feed; a byte order mark is skipped.
function withUnixLineEnds(file: string): string {
  let text = file.startsWith('\ufeff') ? file.slice(1) : file;
  if (text.includes('\0')) text = text.replaceAll('\0', '\ufffd');
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function endOfSignature(text: string, log: ProblemLog): number {
  if (/^WEBVTT(?:[ \t\n]|$)/.test(text)) return orEnd(text.indexOf('\n'), text);
  log.add(0, 'The file does not begin with WEBVTT.');
  return 0;
}

function readCue(
  text: string,
  line: number,
  lineEnd: number,
  textEnd: number,
  log: ProblemLog,
): Cue | undefined {
  const cue = readTimings(text, line, lineEnd, log);
  if (!cue) return undefined;
  if (cue.end_ms <= cue.start_ms) {
    log.add(line, 'The cue does not end after it starts.');
    return undefined;
  }
  const source = text.slice(lineEnd + 1, textEnd);
  const isPlain = !source.includes('<') && !source.includes('&');
  if (isPlain) {
    cue.lines = linesOf(source);
  } else {
    const read = readCueText(source);
    cue.lines = linesOf(read.text);
    cue.speaker = read.speaker;
  }
  if (cue.lines.length > 0) return cue;
  log.add(line, 'The cue has no text.');
  return undefined;
}

function readTimings(text: string, line: number, lineEnd: number, log: ProblemLog): Cue | undefined {
  const start = usualTimestamp(text, line);
  const end = usualTimestamp(text, line + 17);
  const isUsual = start >= 0 && end >= 0 && lineEnd === line + 29 && text.startsWith(' --> ', line + 12);
  if (isUsual) return { start_ms: start, end_ms: end, lines: [], speaker: null };

  const found = TIMINGS.exec(text.slice(line, lineEnd));
  if (!found) {
    log.add(line, 'The times of the cue cannot be read.');
    return undefined;
  }
  const cue: Cue = { start_ms: msOf(found, 1), end_ms: msOf(found, 5), lines: [], speaker: null };
  for (const setting of text.slice(line + found[0].length, lineEnd).split(/[ \t\f]+/)) {
    if (setting === '') continue;
    if (!SETTING.test(setting)) log.add(line, `The cue has an unknown setting: ${setting}`);
    if (isAtTop(setting)) cue.position = 'top';
  }
  return cue;
}

/** `hh:mm:ss.mmm` at an offset in milliseconds, or below zero if it is not exactly that. */
function usualTimestamp(text: string, at: number): number {
  const hours = twoDigits(text, at);
  const minutes = twoDigits(text, at + 3);
  const seconds = twoDigits(text, at + 6);
  const tens = twoDigits(text, at + 9);
  const units = text.charCodeAt(at + 11) - 48;
  const isUsual =
    text.charCodeAt(at + 2) === 58 &&
    text.charCodeAt(at + 5) === 58 &&
    text.charCodeAt(at + 8) === 46 &&
    (hours | minutes | seconds | tens | units) >= 0 &&
    minutes < 60 &&
    seconds < 60 &&
    units <= 9;
  return isUsual ? ((hours * 60 + minutes) * 60 + seconds) * 1000 + tens * 10 + units : -1;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const units = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : -1;
}

function msOf(found: RegExpExecArray, group: number): number {
  const [hours, minutes, seconds, ms] = found.slice(group, group + 4).map((digits) => Number(digits ?? 0));
  return Math.min(((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + ms!, Number.MAX_SAFE_INTEGER);
}

// A percentage is of the picture's height; a number counts lines, of which a picture holds about fifteen.
function isAtTop(setting: string): boolean {
  const found = LINE_SETTING.exec(setting);
  if (!found) return false;
  const middle = found[2] === '%' ? 50 : 7;
  return Number(found[1]) < middle;
}

function linesOf(source: string): string[] {
  if (!source.includes('\n')) {
    const line = source.trim();
    return line === '' ? [] : [line];
  }
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function orEnd(offset: number, text: string): number {
  return offset === -1 ? text.length : offset;
}
