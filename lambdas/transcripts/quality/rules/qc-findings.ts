/** The cues that quality checks examine, and the findings that they report. */

import type { Static } from 'typebox';
import type * as contract from '../../../../contract/kit/qc-fields.ts';
import type { Cue } from '../../../subtitles/rules/cue.ts';

export type QcReport = Omit<Static<typeof contract.QcReport>, 'transcription_id' | 'version'>;
export type QcFinding = QcReport['findings'][number];

/** A cue with its number (from 1), the times at which its text is spoken, and its segments. */
export type JudgedCue = Cue & { number: number; spoken_ms: number; segment_ids: string[] };

/** A finding without its severity. */
export type Found = Omit<QcFinding, 'severity'>;

/** The fields of a finding that locate a cue. */
export const placeOf = ({ number, segment_ids, start_ms, end_ms }: JudgedCue) => ({
  cue: number,
  segment_ids,
  start_ms,
  end_ms,
});

/** The beginning of a finding's sentence: "Cue 3 (0:09)". */
export const nameOfCue = ({ number, start_ms }: JudgedCue): string =>
  `Cue ${number} (${clockTime(start_ms)})`;

/** Minutes and seconds, and hours if there are any: "0:09", "1:02:03". */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const tail = twoDigits(seconds % 60);
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${twoDigits(minutes)}:${tail}`;
}

/** "1 frame", "2 frames". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
