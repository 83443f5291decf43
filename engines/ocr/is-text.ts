/** Separates text from textures that look like letters to a text recognizer. */

const LETTER = /[\p{L}\p{N}]/u;

/** Returns true if at least two characters, and at least half of all characters except spaces, are letters or digits ("TV", "10"). */
export function isText(text: string): boolean {
  const characters = [...text.replaceAll(/\s/gu, '')];
  const letters = countLetters(text);
  return letters >= 2 && letters * 2 >= characters.length && new Set(characters).size > 1;
}

/**
 * The minimum confidence. Measured on titles, names and subtitles, and on stones, plants, fur, machines and noise. Text had .93 or
 * more. Textures had .76 or less, except two letters with .89.
 */
const MIN_CONFIDENCE = 0.82;
/** A text with fewer letters than `FEW_LETTERS` needs a higher confidence. */
const FEW_LETTERS = 4;
const MIN_CONFIDENCE_OF_FEW = 0.92;

export function isConfidentText(text: string, confidence: number): boolean {
  const min = countLetters(text) < FEW_LETTERS ? MIN_CONFIDENCE_OF_FEW : MIN_CONFIDENCE;
  return isText(text) && confidence >= min;
}

const countLetters = (text: string) => [...text].filter((character) => LETTER.test(character)).length;
