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

/** A description with the engine's sound class, for other languages. Users and earlier versions stored no class. */
export interface DescribedSound extends SoundDescription {
  readonly kind?: 'music' | 'applause' | 'silence';
}
