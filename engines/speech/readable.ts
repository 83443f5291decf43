/** Text as it can be spoken. */

/** Pictures, and what joins and colours them; digits and `#` belong to some of them and are kept. */
const PICTURES = /\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\u200d\ufe0e\ufe0f\u20e3]/gu;
const CONTROLS = /\p{Cc}|\p{Zl}|\p{Zp}/gu;
const ANYTHING = /[\p{L}\p{N}]/u;

/** Composed, in one line, without pictures and control characters. Nobody wants to hear "grinning face". */
export const readable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(CONTROLS, ' ')
    .replace(PICTURES, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** Whether there is anything in it to say. */
export const isSpeakable = (text: string): boolean => ANYTHING.test(readable(text));
