/** What stands for characters that a table has not. */

// Typography that eight bits seldom have, as the keyboard has it; and signs that are words.
const lookalikes: Readonly<Record<string, string>> = {
  '…': '...',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '«': '"',
  '»': '"',
  '‹': "'",
  '›': "'",
  '′': "'",
  '″': '"',
  '•': '·',
  '·': '-',
  '♫': '♪',
  '♩': '♪',
  '♬': '♪',
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
/** Digits of Arabic and of Persian. */
const DIGIT = /^[\u0660-\u0669\u06f0-\u06f9]$/;

/** A letter without its marks, or what it is made of ("ﬁ", full-width letters); itself where it is neither. */
export const withoutMarks = (character: string): string => character.normalize('NFKD').replace(MARKS, '');

/** What stands for a character; a table may lack that too. */
export function substituteFor(character: string): string {
  if (DIGIT.test(character)) return String((character.charCodeAt(0) & 0xf) % 10);
  return lookalikes[character] ?? withoutMarks(character);
}
