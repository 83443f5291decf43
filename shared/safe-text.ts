/**
 * Finds texts that take too long to normalize. Normalization compares each combining mark with all marks before it, so
 * 200,000 marks in a row take half a minute. Unicode's "Stream-Safe Text Format" (UAX #15 §13) allows 30 in a row. No
 * language needs more.
 */
export const MOST_MARKS = 30;

const tooMany = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');

export const isSafeToNormalize = (text: string): boolean => !tooMany.test(text);
