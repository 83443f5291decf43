/** Audio tracks of an asset. */
import type { AssetId, JobId } from './ids.ts';

export interface AudioTrack {
  readonly audio_track_id: string;
  readonly asset_id: AssetId;
  readonly language_id: string | null;
  readonly source: 'original' | 'voice_over';
  readonly codec: string;
  readonly channels: number;
  /** Samples a second. */
  readonly sample_rate: number;
  readonly duration_ms: number;
  readonly size_bytes: number;
  /** Its translation is another now. */
  readonly stale: boolean;
  readonly video: MuxedVideo | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface MuxedVideo {
  readonly media_type: string;
  readonly size_bytes: number;
}

/** What of a voice over is kept beside what callers see. */
export interface Dub {
  /** The translation that is spoken, as it was then. */
  readonly transcription_id: string;
  readonly transcription_version: number;
  /** The job that made this version. */
  readonly job_id: JobId;
  /** The job that made the version before; what that made is removed. */
  readonly replaced_job_id: JobId | null;
  /** Keys of objects in the media bucket. */
  readonly fit_key: string;
  readonly video_key: string | null;
}

export interface StoredAudioTrack extends Omit<AudioTrack, 'stale' | 'video'> {
  readonly version: number;
  /** Key of the object in the media bucket. */
  readonly object_key: string;
  readonly video?: MuxedVideo | null;
  /** Absent from the original sound. */
  readonly dub?: Dub;
}

/** @param translations versions of the asset's transcriptions as they are now, by their ids */
export function audioTrackView(
  stored: StoredAudioTrack,
  translations: ReadonlyMap<string, number>,
): AudioTrack {
  const { version: _, object_key: __, dub, created_at, updated_at, video = null, ...shown } = stored;
  const stale = dub !== undefined && translations.get(dub.transcription_id) !== dub.transcription_version;
  return { ...shown, stale, video, created_at, updated_at };
}
