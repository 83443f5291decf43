/** Writes and reads SubRip (.srt). The format has no specification. The rules here are the ones that players agree on. */
import type { Cue, ParsedCues } from './cue.ts';
import { ProblemLog } from './problem-log.ts';
import { cueText, withUnixLineEnds } from './text.ts';
import { timestamp, writableCues } from './timestamps.ts';
import { joinTopCues } from './top-cues.ts';

/**
 * Writes a SubRip file. Cues without text are left out, and the rest are ordered by start. The file has `\n` line ends
 * and no byte order mark. SubRip has no speakers and no positions. A cue at the top joins the cue at the bottom that it
 * overlaps.
 */
export function writeSrt(cues: readonly Cue[], { language }: { language?: string } = {}): string {
  let file = '';
  let number = 0;
  for (const cue of joinTopCues(writableCues(cues), language)) {
    const text = cueText(cue.lines, withoutMarkup);
    if (text === '') continue;
    file += `${number === 0 ? '' : '\n'}${++number}\n${timestamp(cue.start_ms, ',')} --> ${timestamp(cue.end_ms, ',')}\n${text}\n`;
  }
  return file;
}

// SubRip has no escapes. A player would take some characters for a tag, an override or a time line. Pairs of
// look-alikes replace these characters.
function withoutMarkup(line: string): string {
  return line
    .replace(/<([a-z/!][^<>]*)(>?)/gi, (_, inside, end) => `‹${inside}${end && '›'}`)
    .replace(/\{([\\a-z][^{}]*)(\}?)/gi, (_, inside, end) => `❴${inside}${end && '❵'}`)
    .replaceAll('-->', '→');
}

const TIMESTAMP = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?(?!\d)`;
const TIMINGS = new RegExp(String.raw`^[ \t]*${TIMESTAMP}[ \t]*-->[ \t]*${TIMESTAMP}`);
const TAG = /<\/?(?:[bius]|font)(?:\s[^<>]*)?>/gi;
const OVERRIDE = /\{\\[^{}]*\}/g;
const AT_TOP = /\{\\an[789]\}/;
const COUNTER = /^\s*\d+\s*$/;

type Head = { line: number; start_ms: number; end_ms: number };

/**
 * Reads any text as SubRip. A time line begins a cue. The text of the cue ends at the counter of the next cue, and may
 * have blank lines. The reader accepts a point for the comma, missing hours and short fractions. It drops all
 * formatting except a position at the top. If a cue ends before it starts or has no text, the reader skips the cue and
 * adds a problem.
 */
export function parseSrt(file: string): ParsedCues {
  const text = withUnixLineEnds(file);
  const log = new ProblemLog(text);
  const cues: Cue[] = [];
  let head: Head | undefined;
  let body: string[] = [];
  let offset = 0;
  const close = () => {
    const cue = head && cueOf(head, body, log);
    if (cue) cues.push(cue);
    body = [];
  };
  for (const line of text.split('\n')) {
    const next = line.includes('-->') ? headOf(line, offset) : undefined;
    if (next) {
      const mayBeCounter = body.at(-1) ?? '';
      if (COUNTER.test(mayBeCounter)) body.pop();
      if (!head) noteStray(body, log);
      close();
      head = next;
    } else {
      body.push(line);
    }
    offset += line.length + 1;
  }
  if (!head) noteStray(body, log);
  close();
  return { cues, problems: log.problems };
}

function headOf(line: string, offset: number): Head | undefined {
  const found = TIMINGS.exec(line);
  return found ? { line: offset, start_ms: msOf(found, 1), end_ms: msOf(found, 5) } : undefined;
}

function cueOf(head: Head, body: readonly string[], log: ProblemLog): Cue | undefined {
  const { line, start_ms, end_ms } = head;
  const source = body.join('\n');
  const text = /[<{]/.test(source) ? source.replace(OVERRIDE, '').replace(TAG, '') : source;
  const lines = text
    .split('\n')
    .map((it) => it.trim())
    .filter((it) => it !== '');
  if (end_ms <= start_ms) log.add(line, 'The cue does not end after it starts.');
  else if (lines.length === 0) log.add(line, 'The cue has no text.');
  else return { start_ms, end_ms, lines, speaker: null, ...(AT_TOP.test(source) && { position: 'top' }) };
  return undefined;
}

function noteStray(body: readonly string[], log: ProblemLog): void {
  if (body.some((line) => line.trim() !== '')) log.add(0, 'There is text before the first time line.');
}

function msOf(found: RegExpExecArray, group: number): number {
  const [hours = '0', minutes, seconds, fraction = '0'] = found.slice(group, group + 4);
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return Math.min(whole * 1000 + Number(fraction.padEnd(3, '0')), Number.MAX_SAFE_INTEGER);
}
