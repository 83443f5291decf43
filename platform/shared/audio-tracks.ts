/** Audio tracks of an asset. */
import type { AssetId } from './ids.ts';

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
  readonly created_at: string;
  readonly updated_at: string;
}

export interface StoredAudioTrack extends AudioTrack {
  readonly version: number;
  /** Key of the object in the media bucket. */
  readonly object_key: string;
}

export function audioTrackView({ version: _, object_key: __, ...shown }: StoredAudioTrack): AudioTrack {
  return shown;
}
