/** Audio tracks of an asset. */
import type { AssetId, JobId } from './ids.ts';

export interface AudioTrack {
  readonly audio_track_id: string;
  readonly asset_id: AssetId;
  readonly language_id: string | null;
  readonly source: 'original' | 'voice_over';
  readonly codec: string;
  readonly channels: number;
  readonly sample_rate: number;
  readonly duration_ms: number;
  readonly size_bytes: number;
  /** Whether the translation has changed since the track was made. */
  readonly stale: boolean;
  readonly video: MuxedVideo | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface MuxedVideo {
  readonly media_type: string;
  readonly size_bytes: number;
}

/** Fields of a voice over that callers do not see. */
export interface Dub {
  /** The translation that was spoken, and its version. */
  readonly transcription_id: string;
  readonly transcription_version: number;
  readonly job_id: JobId;
  /** The job that made the previous version of the track. Objects of that job are removed. */
  readonly replaced_job_id: JobId | null;
  /** Keys of the fit report and of the video in the media bucket. */
  readonly fit_key: string;
  readonly video_key: string | null;
}

export interface StoredAudioTrack extends Omit<AudioTrack, 'stale' | 'video'> {
  readonly version: number;
  readonly object_key: string;
  readonly video?: MuxedVideo | null;
  /** Absent for the original sound. */
  readonly dub?: Dub;
}

/** @param translations current versions of the asset's transcriptions, by id */
export function audioTrackView(
  stored: StoredAudioTrack,
  translations: ReadonlyMap<string, number>,
): AudioTrack {
  const { version: _, object_key: __, dub, created_at, updated_at, video = null, ...shown } = stored;
  const stale = dub !== undefined && translations.get(dub.transcription_id) !== dub.transcription_version;
  return { ...shown, stale, video, created_at, updated_at };
}
