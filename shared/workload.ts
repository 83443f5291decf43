/** What media come to that nobody has listened to or looked at yet: for estimates. */

/** Brisk speech: 150 words of six characters, the space included. */
export const CHARACTERS_PER_MINUTE = 900;
/** Pictures that are looked at in a second of video (`normal`; docs/analyses.md). */
export const PICTURES_PER_SECOND = 1;
