/** Text as it can be spoken. */

/** Pictures, whole ones and the parts of those that no font knows. Joiners within words are of scripts that need them. */
const PICTURES =
  /\p{RGI_Emoji}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\ufe0e\ufe0f\u20e3]/gv;
/** With the two characters that no document of XML holds, escaped or not (XML 1.0 §2.2): services that read SSML refuse all of it. */
const CONTROLS = /\p{Cc}|\p{Zl}|\p{Zp}|[\ufffe\uffff]/gu;
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
