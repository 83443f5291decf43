/** Sounds of an asset other than speech, as subtitles describe them: `applause`. */
import type { AssetId } from './ids.ts';

export interface SoundDescription {
  readonly description_id: string;
  readonly asset_id: AssetId;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  /** 0 to 1; null if the engine gives none. */
  readonly confidence: number | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * The sound class of the engine, so that it can be described in other languages. Absent for descriptions of users or
 * earlier versions.
 */
export interface DescribedSound extends SoundDescription {
  readonly kind?: 'music' | 'applause' | 'silence';
}
