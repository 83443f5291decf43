/** Checks whether cues can be delivered as EBU STL: the characters that its code table lacks, and a round trip. */

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
import { type Found, type JudgedCue, nameOfCue, placeOf, type QcReport } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

type Checked = { said: QcReport['stl']; found: Found[] };

/** The number of characters that a finding lists. */
const NAMED = 5;

export function checkStl(
  cues: readonly JudgedCue[],
  profile: QcProfile,
  frameRate: number,
  language: string | undefined,
): Checked {
  if (!profile.stl)
    return { said: { status: 'not_checked', detail: 'The profile does not need EBU STL.' }, found: [] };
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
  return [
    { ...placeOf(cue), code, value, limit: 0, detail: `${nameOfCue(cue)}: ${named.join(', ')}${more}.` },
  ];
}

/**
 * Writes the file, reads it again, and finds cues that differ. Ignores characters that the table lacks or writes alike,
 * and differences of half a frame.
 */
function roundTrip(
  cues: readonly JudgedCue[],
  table: ConstructorParameters<typeof TableWriter>[0],
  frameRate: number,
  language: string | undefined,
): Found[] {
  const framesPerSecond = stlRateOf(frameRate);
  const options = { display: 'level1', framesPerSecond, startFrame: 0, title: '', reference: '' } as const;
  const dated = { created: '', revised: '', revision: 0, ...(language !== undefined && { language }) };
  const made = stlFromCues(cues, { ...options, ...dated });
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
  return cues
    .filter(({ start_ms, end_ms, lines }) => {
      const text = writer.writable(lines.join(' ')).replace(/ +/g, ' ').trim();
      return text !== '' && !read.has(keyOf(start_ms, end_ms, text));
    })
    .map((cue) => ({
      ...placeOf(cue),
      code: 'stl_round_trip' as const,
      value: 1,
      limit: 0,
      detail: `${nameOfCue(cue)}: the file has it split, cut or at other times.`,
    }));
}
