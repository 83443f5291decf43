/** Whether speech is in the language that an engine assumed because it knows no other. */
import { jobErrors } from '../../../contract/kit/errors.ts';
import type { Assumption } from '../../../engines/transcription/port.ts';
import type { JobFailure } from '../../../shared/assets.ts';

/** Fewer words say too little of their language. */
const FEWEST_WORDS = 10;
/** Of other languages fewer than half fit, of English four fifths in noise: docs/decisions/0033-words-that-can-be-trusted.md. */
const LEAST_FITTING = 0.55;
/** Clear speech of a language with similar sounds (Spanish) fits as well as English in noise, but the words are less sure. */
const LEAST_FITTING_UNSURE = 0.68;
const UNSURE = 0.35;

/**
 * Why the words cannot be given out as those of the language; null where they can.
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
      `Nobody said what language this is, and the engine in use knows ${language} alone. Of ${words} words that it heard, ` +
      `${words - fitting} do not sound like that. Create the asset again with its language_id.`,
    retryable,
  };
}
