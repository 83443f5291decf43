/**
 * Text that can be normalized in bounded time. Normalization sorts combining marks by comparing each with those before
 * it, so that 200,000 in a row take half a minute. Unicode's "Stream-Safe Text Format" (UAX #15 §13) allows 30, more
 * than any language needs.
 */

/** Marks in a row. */
export const MOST_MARKS = 30;

const tooMany = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');

export const isSafeToNormalize = (text: string): boolean => !tooMany.test(text);
