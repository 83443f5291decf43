/** The fit report of a voice over: the stored form, and the form for callers. */
import type { Dub, StoredAudioTrack } from '../../../shared/audio-tracks.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { DubPlan, PlannedPiece } from './dub-plan.ts';
import type { FitReport } from './speech-fit.ts';

export interface FittedSegment extends PlannedPiece {
  readonly fit: FitReport;
  /** The delay after the start of its slot, because the previous segment was longer than its slot. */
  readonly late_ms: number;
  readonly cut_ms: number;
}

export interface FitDocument {
  /** `integrated_lufs` is the loudness, `true_peak_dbtp` the true peak. Null if the sound is too short or too faint. */
  readonly integrated_lufs: number | null;
  readonly true_peak_dbtp: number | null;
  readonly synthesised: number;
  readonly kept: number;
  readonly segments: readonly FittedSegment[];
  /** Absent in old reports. */
  readonly missing?: DubPlan['missing'];
}

export const fitReport = (
  { audio_track_id, language_id }: StoredAudioTrack,
  { transcription_id, transcription_version }: Dub,
  { segments, missing = [], ...facts }: FitDocument,
) => ({
  audio_track_id,
  language_id: defined(language_id),
  transcription_id,
  transcription_version,
  ...facts,
  segments: segments.map(({ segment_id, original_segment_id, start_ms, slot_ms, voice, ...heard }) => {
    const { fit, late_ms, cut_ms } = heard;
    const { spoken_ms, rate, tempo, borrowed_ms, overflow_ms, drift_ms } = fit;
    const length = { spoken_ms, rate, tempo, borrowed_ms, overflow_ms, drift_ms };
    return { segment_id, original_segment_id, start_ms, slot_ms, ...length, late_ms, cut_ms, voice };
  }),
  missing,
});
