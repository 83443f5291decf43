/** Sounds of an asset other than speech, as subtitles describe them: `applause`. */
import type { AssetId } from './ids.ts';

export interface SoundDescription {
  readonly description_id: string;
  readonly asset_id: AssetId;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  /** 0 to 1; null if the engine returns no confidence. */
  readonly confidence: number | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A description with the engine's sound class, which gives the text in other languages. Absent in sounds of users and of earlier versions. */
export interface DescribedSound extends SoundDescription {
  readonly kind?: 'music' | 'applause' | 'silence';
}
