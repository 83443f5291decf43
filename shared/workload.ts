/** The usual number of words and pictures per minute of media, for estimates. */

/** Characters of fast speech: 150 words of six characters, spaces included. */
export const CHARACTERS_PER_MINUTE = 900;
/** Analyzed pictures per second of video (`normal`; docs/analyses.md). */
export const PICTURES_PER_SECOND = 1;
