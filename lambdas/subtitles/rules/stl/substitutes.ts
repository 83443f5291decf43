/** Replacements for characters that a code table does not have. */

/** Typographic characters by the keyboard characters that replace them. */
const typographic: Readonly<Record<string, string>> = {
  '-': '‐‑‒–—―−·',
  "'": '‘’‚‛ʼ‹›′',
  '"': '“”„‟«»″',
  '♪': '♫♩♬',
};

const lookalikes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(typographic).flatMap(([plain, all]) => [...all].map((each) => [each, plain])),
  ),
  '…': '...',
  '•': '·',
  '♪': '*',
  '€': 'EUR',
  '№': 'No.',
  '©': '(C)',
  '®': '(R)',
  '×': 'x',
  '⁄': '/',
  ı: 'i',
  ß: 'ss',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ł: 'L',
  ł: 'l',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  ґ: 'г',
  Ґ: 'Г',
};

const MARKS = /\p{M}/gu;
/** Arabic and Persian digits. */
const DIGIT = /^[\u0660-\u0669\u06f0-\u06f9]$/;

/**
 * The replacement for a character: a look-alike, a letter without its diacritics, or the letters of a ligature ("ﬁ") or
 * full-width letter. Any other character is returned unchanged. The table may lack the replacement too.
 */
export function substituteFor(character: string): string {
  if (DIGIT.test(character)) return String((character.charCodeAt(0) & 0xf) % 10);
  return lookalikes[character] ?? character.normalize('NFKD').replace(MARKS, '');
}
