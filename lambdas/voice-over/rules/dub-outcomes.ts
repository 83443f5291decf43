/** How a language of a voice over ended, as its machine hands it on, and as jobs and tracks tell it. */
import type { JobFailure } from '../../../shared/assets.ts';
import type { MuxedVideo } from '../../../shared/audio-tracks.ts';
import type { JobItem } from '../../../shared/jobs.ts';

/** The sound of a voice over, as it was mixed. */
export interface MixedDub {
  readonly codec: string;
  readonly channels: number;
  /** Samples a second. */
  readonly sample_rate: number;
  readonly duration_ms: number;
  readonly size_bytes: number;
  /** Segments that this job had spoken, and those that were kept. */
  readonly synthesised: number;
  readonly kept: number;
}

export interface MadeDub extends MixedDub {
  readonly language_id: string;
  readonly audio_track_id: string;
  readonly transcription_id: string;
  readonly transcription_version: number;
  readonly video: MuxedVideo | null;
  /** Why the video was not made that was asked for. */
  readonly video_failure?: { readonly Error?: string; readonly Cause?: string };
}

export type DubEnd =
  | MadeDub
  | {
      readonly language_id: string;
      readonly failure: { readonly Error?: string; readonly Cause?: string };
    };

export const isMade = (end: DubEnd): end is MadeDub => !('failure' in end);

/** @param error why the language came to nothing, or why there is no video; null where all was made */
export function dubItem(end: DubEnd, error: JobFailure | null): JobItem<'voice_over'> {
  const { language_id } = end;
  if (!isMade(end)) return { language_id, status: 'failed', progress: 0, error, result: null };
  const { audio_track_id, synthesised, kept } = end;
  const result = { audio_track_id, synthesised, kept };
  return {
    language_id,
    status: error === null ? 'succeeded' : 'partially_succeeded',
    progress: 1,
    error,
    result,
  };
}
