/**
 * Text that may be normalised. Marks are put in their canonical order by comparing each with those before it, so that 200,000 of
 * them in a row take half a minute; Unicode's own "Stream-Safe Text Format" (UAX #15 §13) allows 30, more than any language has.
 */

/** Marks in a row. */
export const MOST_MARKS = 30;

const tooMany = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');

export const isSafeToNormalise = (text: string): boolean => !tooMany.test(text);
