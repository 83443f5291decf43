/** The characters that custom vocabularies may contain. Amazon Transcribe rejects a whole vocabulary if it contains one other character. */
import { primarySubtag } from '../engine.ts';

const LATIN = "A-Za-z'.";

/**
 * Developer Guide, "Character sets for custom vocabularies and vocabulary filters", as character classes of a regular expression,
 * without the hyphen. Languages are missing if their set is in a separate file, or if they have none.
 */
const sets: Readonly<Record<string, string>> = {
  af: 'a-z.áèéêëíîïóôöúûü',
  ar: '\\u0621-\\u063a\\u0641-\\u064a',
  da: 'A-Za-z.ÅÆØåæéø',
  de: `${LATIN}ÄÖÜäöüß`,
  en: LATIN,
  es: `${LATIN}ÁÉÍÑÓÚáéíñóúü`,
  fa: '\\u0621-\\u0624\\u0626-\\u0628\\u062a-\\u063a\\u0641\\u0642\\u0644-\\u0648\\u064e-\\u0651\\u067e\\u0686\\u0698\\u06a9\\u06af\\u06cc',
  fr: `${LATIN}ÀÂÇÈÉÊËÎÏÔÖÙÛÜàâçèéêëîïôöùûü`,
  he: '\\u05d0-\\u05ea',
  hi: '.\\u0901-\\u0903\\u0905-\\u090b\\u090f-\\u0911\\u0913-\\u0928\\u092a-\\u0930\\u0932\\u0935-\\u0939\\u093e-\\u0943\\u0945\\u0947-\\u0949\\u094b-\\u094d\\u095b-\\u095d',
  id: LATIN,
  it: `${LATIN}ÀÄÇÈÉÊËÌÒÙÜàäçèéêëìòùü`,
  ko: '\\uac00-\\ud7a3',
  ms: LATIN,
  nl: `${LATIN}àáâäçèéêëìíîïñòóôöùúûü`,
  pt: `${LATIN}ÀÁÂÃÄÇÈÉÊËÍÑÓÔÕÖÚÜàáâãäçèéêëíñóôõöúü`,
  ru: "'.а-яё",
  ta: '\\u0b83\\u0b85-\\u0b8a\\u0b8e-\\u0b90\\u0b92-\\u0b95\\u0b99\\u0b9a\\u0b9c\\u0b9e\\u0b9f\\u0ba3\\u0ba4\\u0ba8-\\u0baa\\u0bae-\\u0bb9\\u0bbe-\\u0bc2\\u0bc6-\\u0bc8\\u0bca-\\u0bcd',
  te: '\\u0c01-\\u0c03\\u0c05-\\u0c0c\\u0c0e-\\u0c10\\u0c12-\\u0c28\\u0c2a-\\u0c33\\u0c35-\\u0c39\\u0c3e-\\u0c44\\u0c47\\u0c48\\u0c4a-\\u0c4d',
  th: '.\\u0e01-\\u0e32\\u0e34-\\u0e38\\u0e3a\\u0e40-\\u0e4d',
  tr: `${LATIN}ÇÖÜâäçèéêíîóöûüĞğİıŞşšž`,
};

/** For languages without a known set: letters and marks of any script. */
const ANY = "\\p{L}\\p{M}'.";

const patterns = new Map<string, RegExp>();

function patternOf(language: string): RegExp {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^[${sets[language] ?? ANY}-]+$`, 'u');
  patterns.set(language, pattern);
  return pattern;
}

/** Hindi letters that are one character in the set of Transcribe, but two characters in NFC (Unicode, composition exclusions). */
const composed = { ज: '\u095b', ड: '\u095c', ढ: '\u095d' } as const;

const withComposed = (phrase: string): string =>
  phrase.replace(/([जडढ])\u093c/g, (_, letter: keyof typeof composed) => composed[letter]);

const withoutAccents = (phrase: string): string =>
  phrase
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

/**
 * Writes the phrase with the characters of the language: unchanged, in lower case, or without accents ("José" in English). Returns
 * null if each of these contains other characters.
 * @param phrase in NFC, with hyphens between the words @param code the language code of Transcribe
 */
export function writableIn(code: string, phrase: string): string | null {
  const pattern = patternOf(primarySubtag(code));
  const written = withComposed(phrase);
  const plain = withoutAccents(written);
  const ways = [written, written.toLowerCase(), plain, plain.toLowerCase()];
  return ways.find((way) => pattern.test(way) && /\p{L}/u.test(way)) ?? null;
}
