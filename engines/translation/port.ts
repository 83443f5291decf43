/** The interface of engines that translate. `ENGINE_TRANSLATION` names the engine. */
import { engineOf } from '../engine.ts';

export interface TranslationRequest {
  /** BCP 47 tags. */
  readonly source: string;
  readonly target: string;
  /** Called with the progress, 0 to 1, whenever the engine knows it. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Methods throw a JobError. A retry may succeed if the error is `retryable`. */
export interface TranslationEngine {
  /**
   * Translates each sentence without context. Returns the translations in the same order. A sentence without words stays unchanged.
   * Throws `language_unsupported` for a pair that the engine does not declare.
   */
  translate(sentences: readonly string[], request: TranslationRequest): Promise<string[]>;
}

export const translationEngine = engineOf<TranslationEngine>();
