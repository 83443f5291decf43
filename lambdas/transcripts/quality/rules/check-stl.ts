/** Checks whether an EBU STL file can contain the cues: writes a file, reads it again, and compares the cues. */
import {
  codeTableFor,
  cuesFromStl,
  isLost,
  type Replaced,
  readStl,
  stlFromCues,
  stlRateOf,
  TableWriter,
  unifyLatinLookalikes,
} from '../../../subtitles/rules/stl.ts';
import { type Checked, type Found, foundIn, type JudgedCue, unchecked } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

/** A finding lists at most this many characters. */
const NAMED = 5;

export function checkStl(
  cues: readonly JudgedCue[],
  profile: QcProfile,
  frameRate: number,
  language: string | undefined,
): Checked {
  if (!profile.stl) return unchecked('The profile does not need EBU STL.');
  const table = codeTableFor(language, linesOf(cues));
  if (table === null) {
    const detail = 'No code table of EBU STL has the letters of the language.';
    const none = { cue: null, segment_ids: [], start_ms: 0, end_ms: 0, value: cues.length, limit: 0, detail };
    return { said: { status: 'checked', detail }, found: [{ ...none, code: 'not_in_stl' }] };
  }
  const detail = `Written with the code table ${table} and read again.`;
  const lacking = cues.flatMap((cue) => lackingOf(cue, new TableWriter(table)));
  return {
    said: { status: 'checked', detail },
    found: [...lacking, ...roundTrip(cues, table, frameRate, language)],
  };
}

function* linesOf(cues: readonly JudgedCue[]): Iterable<string> {
  for (const { lines } of cues) yield* lines;
}

function lackingOf(cue: JudgedCue, writer: TableWriter): Found[] {
  for (const line of cue.lines) writer.writable(line);
  const lost = writer.replaced.filter(isLost);
  const nearest = writer.replaced.filter((each) => !isLost(each));
  return [...replacedIn(cue, 'lost_in_stl', lost), ...replacedIn(cue, 'not_in_stl', nearest)];
}

function replacedIn(cue: JudgedCue, code: Found['code'], replaced: readonly Replaced[]): Found[] {
  if (replaced.length === 0) return [];
  const value = replaced.reduce((sum, { count }) => sum + count, 0);
  const named = replaced
    .slice(0, NAMED)
    .map(({ character, written }) => `"${character}" becomes "${written}"`);
  const more = replaced.length > NAMED ? ' and others' : '';
  return [foundIn(cue, { code, value, limit: 0, detail: `${named.join(', ')}${more}.` })];
}

/**
 * Writes a file, reads it again, and finds cues that differ. Ignores differences of half a frame, and characters that
 * the table lacks or cannot distinguish.
 */
function roundTrip(
  cues: readonly JudgedCue[],
  table: ConstructorParameters<typeof TableWriter>[0],
  frameRate: number,
  language: string | undefined,
): Found[] {
  const framesPerSecond = stlRateOf(frameRate);
  const unnamed = { title: '', reference: '', created: '', revised: '', revision: 0 };
  const made = stlFromCues(cues, { display: 'level1', framesPerSecond, startFrame: 0, language, ...unnamed });
  if (made === null) return [];
  const frameOf = (ms: number) => Math.round((ms * framesPerSecond) / 1000);
  const keyOf = (start_ms: number, end_ms: number, text: string) =>
    `${frameOf(start_ms)} ${frameOf(end_ms)} ${unifyLatinLookalikes(text)}`;
  const read = new Set(
    cuesFromStl(readStl(made.file)).map(({ start_ms, end_ms, lines }) =>
      keyOf(start_ms, end_ms, lines.join(' ')),
    ),
  );
  const writer = new TableWriter(table);
  const detail = 'the file has it split, cut or at other times.';
  return cues
    .filter(({ start_ms, end_ms, lines }) => {
      const text = writer.writable(lines.join(' ')).replace(/ +/g, ' ').trim();
      return text !== '' && !read.has(keyOf(start_ms, end_ms, text));
    })
    .map((cue) => foundIn(cue, { code: 'stl_round_trip', value: 1, limit: 0, detail }));
}

/** Frame rates that differ by less than this count as equal. 29.97 and 30 differ by 0.03. */
const NEARLY = 0.005;

/**
 * The format has only 25 and 30 frames a second. Warns about rates such as 29.97, 23.976 and 24. Media at 50 and 60
 * cause no warning, because one frame covers two pictures.
 */
export function checkFrameRate({ stl }: QcProfile, frameRate: number): Found[] {
  const rate = stlRateOf(frameRate);
  const pictures = frameRate / Math.max(1, Math.round(frameRate / rate));
  if (!stl || Math.abs(pictures - rate) < NEARLY) return [];
  const isNtsc = Math.abs(pictures - 30_000 / 1001) < NEARLY;
  const why = isNtsc
    ? 'Drop-frame time codes differ from that by two frames at most. Use time_codes=non_drop to count pictures instead.'
    : 'They differ from the time codes of the media.';
  const detail = `The media has ${frameRate} frames a second; EBU STL has 25 or 30. At ${rate}, its time codes are clock time. ${why}`;
  const place = { cue: null, segment_ids: [], start_ms: 0, end_ms: 0 };
  return [{ ...place, code: 'frame_rate', value: frameRate, limit: rate, detail }];
}
