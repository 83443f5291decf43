/** The cues that quality checks examine, and the findings that they report. */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/kit/qc-fields.ts';
import type { Cue } from '../../../subtitles/rules/cue.ts';

export type QcReport = Omit<Static<typeof contract.QcReport>, 'transcription_id' | 'version'>;
export type QcFinding = QcReport['findings'][number];

/** A cue with its number (from 1), the time when its speech begins, and its segments. */
export type JudgedCue = Cue & { number: number; spoken_ms: number; segment_ids: string[] };

export type Found = Omit<QcFinding, 'severity'>;

export type Checked = { said: QcReport['stl']; found: Found[] };

export const unchecked = (detail: string): Checked => ({
  said: { status: 'not_checked', detail },
  found: [],
});

/** A finding about a cue. Its detail begins with the name of the cue: "Cue 3 (0:09)". */
export function foundIn(
  { number, segment_ids, start_ms, end_ms }: JudgedCue,
  { detail, ...measured }: Pick<Found, 'code' | 'value' | 'limit' | 'detail'>,
): Found {
  const named = `Cue ${number} (${clockTime(start_ms)}): ${detail}`;
  return { cue: number, segment_ids, start_ms, end_ms, ...measured, detail: named };
}

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
