/** Checks whether speech is in the only language that the engine knows. */
import { jobErrors } from '../../../contract/kit/errors.ts';
import type { Assumption } from '../../../engines/transcription/port.ts';
import type { JobFailure } from '../../../shared/assets.ts';

/** Fewer words do not show their language. */
const FEWEST_WORDS = 10;
/**
 * In other languages fewer than half of the words fit; in noisy English four fifths do. Source:
 * docs/decisions/0033-word-filtering.md.
 */
const LEAST_FITTING = 0.55;
/**
 * Clear speech in a language with similar sounds (Spanish) fits as well as noisy English, but with lower
 * confidence.
 */
const LEAST_FITTING_UNSURE = 0.68;
const UNSURE = 0.35;

/**
 * Why the words cannot be published as words of the language; null if they can.
 * @param language its name in English
 */
export function languageDoubt(assumed: readonly Assumption[], language: string): JobFailure | null {
  const words = assumed.reduce((sum, piece) => sum + piece.words, 0);
  const fitting = assumed.reduce((sum, piece) => sum + piece.fitting, 0);
  const confidence = assumed.reduce((sum, piece) => sum + piece.confidence, 0);
  const isUnsure = confidence / words < UNSURE;
  const least = isUnsure ? LEAST_FITTING_UNSURE : LEAST_FITTING;
  if (words < FEWEST_WORDS || fitting / words >= least) return null;
  const { title, retryable } = jobErrors.language_uncertain;
  return {
    code: 'language_uncertain',
    title,
    detail:
      `The asset has no language_id, and the engine in use knows only ${language}. ${words - fitting} of ${words} ` +
      `transcribed words do not sound like ${language}. Create the asset again with its language_id.`,
    retryable,
  };
}
