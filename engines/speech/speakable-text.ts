/** Prepares a text for speech. */

/** Emoji, and parts of emoji that no font knows. Joiners stay, because some scripts need them inside words. */
const EMOJI =
  /\p{RGI_Emoji}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\ufe0e\ufe0f\u20e3]/gv;
/** Includes the two characters that XML does not allow, even escaped (XML 1.0 §2.2): services reject SSML that contains them. */
const CONTROLS = /\p{Cc}|\p{Zl}|\p{Zp}|[\ufffe\uffff]/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Returns the text in NFC, on one line, without emoji and control characters. Otherwise an engine says "grinning face". */
export const toSpeakableText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(CONTROLS, ' ')
    .replace(EMOJI, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** Returns true if the text contains a letter or a digit. */
export const isSpeakable = (text: string): boolean => LETTER_OR_DIGIT.test(toSpeakableText(text));
