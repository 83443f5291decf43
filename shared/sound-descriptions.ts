/** What is heard in an asset besides speech, as subtitles tell it: `applause`. */
import type { AssetId } from './ids.ts';

export interface SoundDescription {
  readonly description_id: string;
  readonly asset_id: AssetId;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  /** 0 to 1; null where the engine gives none. */
  readonly confidence: number | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** With what engines found, so that it can be told in other languages; absent where people or earlier versions wrote it. */
export interface DescribedSound extends SoundDescription {
  readonly kind?: 'music' | 'applause' | 'silence';
}
