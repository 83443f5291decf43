/** Prepares a text for speech. */

/** Emoji and their parts. Joiners are not included, because some scripts need them inside words. */
const EMOJI =
  /\p{RGI_Emoji}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\ufe0e\ufe0f\u20e3]/gv;
/** Control characters, line ends, U+FFFE and U+FFFF. Services reject SSML with the last two (XML 1.0 §2.2). */
const CONTROLS = /\p{Cc}|\p{Zl}|\p{Zp}|[\ufffe\uffff]/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Returns the text in NFC, on one line, without control characters and emoji. Engines would speak an emoji as "grinning face". */
export const toSpeakableText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(CONTROLS, ' ')
    .replace(EMOJI, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

export const isSpeakable = (text: string): boolean => LETTER_OR_DIGIT.test(toSpeakableText(text));
