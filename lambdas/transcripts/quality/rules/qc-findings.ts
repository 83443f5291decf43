/** What checks of subtitles look at, and what they find. */

import type { Static } from 'typebox';
import type * as contract from '../../../../contract/kit/qc-fields.ts';
import type { Cue } from '../../../subtitles/rules/cue.ts';

export type QcReport = Omit<Static<typeof contract.QcReport>, 'transcription_id' | 'version'>;
export type QcFinding = QcReport['findings'][number];

/** A cue as it is judged: with its number, when what it shows is said, and the segments that it shows. */
export type JudgedCue = Cue & { number: number; spoken_ms: number; segment_ids: string[] };

/** What a check found; the severity follows from its code. */
export type Found = Omit<QcFinding, 'severity'>;

/** Where a finding about a cue is. */
export const placeOf = ({ number, segment_ids, start_ms, end_ms }: JudgedCue) => ({
  cue: number,
  segment_ids,
  start_ms,
  end_ms,
});
