/** Tells text from what textures look like to a reader of letters. */

/** Half of the characters, spaces aside, are letters or digits, and at least two of them, as in "TV" and "10". */
export function isLegible(text: string): boolean {
  const signs = [...text.replaceAll(/\s/gu, '')];
  const letters = signs.filter((sign) => LETTER.test(sign)).length;
  return letters >= 2 && letters * 2 >= signs.length && new Set(signs).size > 1;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * Measured on title cards, names and subtitles over photographs, and on stones, plants, fur, machines and noise: text had .93
 * and more, and what is none .76 at most, but for two letters with .89.
 */
const SURE = 0.82;
/** Of fewer letters than this, the reader has to be surer. */
const FEW_LETTERS = 4;
const SURE_OF_FEW = 0.92;

/** @param confidence of the reader, 0 to 1 */
export function isSurelyText(text: string, confidence: number): boolean {
  const letters = [...text].filter((sign) => LETTER.test(sign)).length;
  return isLegible(text) && confidence >= (letters < FEW_LETTERS ? SURE_OF_FEW : SURE);
}
