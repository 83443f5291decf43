/** The results of a voice over's languages: in the state machine, in jobs and in tracks. */
import type { StateError } from '../../../platform/jobs/job-failure.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { MuxedVideo } from '../../../shared/audio-tracks.ts';
import type { JobItem } from '../../../shared/jobs.ts';

export interface MixedDub {
  readonly codec: string;
  readonly channels: number;
  readonly sample_rate: number;
  readonly duration_ms: number;
  readonly size_bytes: number;
  /** `synthesised` counts the segments that this job spoke. `kept` counts those whose speech was stored already. */
  readonly synthesised: number;
  readonly kept: number;
  /** The originals that are not spoken, because the translation lacks them. Absent in old executions. */
  readonly missing_count?: number;
}

export interface MadeDub extends MixedDub {
  readonly language_id: string;
  readonly audio_track_id: string;
  readonly transcription_id: string;
  readonly transcription_version: number;
  readonly video: MuxedVideo | null;
  /** The reason why the requested video was not made. */
  readonly video_failure?: StateError;
}

export type DubEnd = MadeDub | { readonly language_id: string; readonly failure: StateError };

export const isMade = (end: DubEnd): end is MadeDub => !('failure' in end);

/** @param error why the language failed, or why it has no video. Null if nothing is missing. */
export function dubItem(end: DubEnd, error: JobFailure | null): JobItem<'voice_over'> {
  const { language_id } = end;
  if (!isMade(end)) return { language_id, status: 'failed', progress: 0, error, result: null };
  const { audio_track_id, synthesised, kept, missing_count = 0 } = end;
  const status = error === null ? 'succeeded' : 'partially_succeeded';
  return {
    language_id,
    status,
    progress: 1,
    error,
    result: { audio_track_id, synthesised, kept, missing_count },
  };
}
