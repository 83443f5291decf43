/** What every translation engine does, whether it runs here or asks a service. */
import { engineOf } from '../engine.ts';

export interface TranslationRequest {
  /** BCP 47 tags. */
  readonly source: string;
  readonly target: string;
  /** Hears how much is done, 0 to 1, as often as the engine can tell. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Methods throw a JobError; one that is `retryable` may go well when asked again. */
export interface TranslationEngine {
  /**
   * Each sentence in the target language: as many as were given, in their order, none of which knows of another. What has
   * no words stays as it is. Throws `language_unsupported` for a pair that the engine's declaration does not lead to.
   */
  translate(sentences: readonly string[], request: TranslationRequest): Promise<string[]>;
}

export const translationEngine = engineOf<TranslationEngine>();
