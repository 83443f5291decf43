/** For engines that know one language: checks whether the speech is in this language. */
import type { Assumption } from '../../../engines/transcription/port.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import type { JobFailure } from '../../../shared/assets.ts';

/** Speech with fewer words than this is not checked. */
const FEWEST_WORDS = 10;
/** Minimum share of fitting words. Speech in other languages has less than half, noisy English 80 % (decision 33). */
const LEAST_FITTING = 0.55;
/** Minimum share if the confidence is low. Clear Spanish fits as well as noisy English, but with lower confidence. */
const LEAST_FITTING_UNSURE = 0.68;
const UNSURE = 0.35;

/** The failure if the speech is probably not in the language (its name in English); null if it is. */
export function languageDoubt(assumed: readonly Assumption[], language: string): JobFailure | null {
  const words = assumed.reduce((sum, piece) => sum + piece.words, 0);
  const fitting = assumed.reduce((sum, piece) => sum + piece.fitting, 0);
  const confidence = assumed.reduce((sum, piece) => sum + piece.confidence, 0);
  const isUnsure = confidence / words < UNSURE;
  const least = isUnsure ? LEAST_FITTING_UNSURE : LEAST_FITTING;
  if (words < FEWEST_WORDS || fitting / words >= least) return null;
  return jobFailure(
    'language_uncertain',
    `The asset has no language_id, and the engine in use knows only ${language}. ${words - fitting} of ${words} ` +
      `transcribed words do not sound like ${language}. Create the asset again with its language_id.`,
  );
}
