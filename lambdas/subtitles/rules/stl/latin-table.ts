/**
 * Code table 00 (Tech 3264 appendix 2): ISO 6937/2-1983 with its addendum of 1989. A letter with a diacritic takes two
 * bytes: first the diacritic, then the letter.
 */
import { defined, itemAt } from '../../../../shared/checked-access.ts';

/** The characters of single bytes A0h to FFh. A space marks a byte without a character, or a diacritic. */
const upperHalf =
  ' ¡¢£$¥#§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿' +
  '                —¹®©™♪¬¦    ⅛⅜⅝⅞\u03a9' +
  'ÆÐªĦ ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ ';

/** For each byte of a diacritic: the combining character, the letters that can have it, and the diacritic alone. */
const marks: Readonly<Record<number, readonly [combining: string, letters: string, alone: string]>> = {
  193: ['\u0300', 'AEIOUaeiou', ''],
  194: ['\u0301', 'ACEILNORSUYZaceilnorsuyz', '´'],
  195: ['\u0302', 'ACEGHIJOSUWYaceghijosuwy', ''],
  196: ['\u0303', 'AINOUainou', ''],
  197: ['\u0304', 'AEIOUaeiou', '¯'],
  198: ['\u0306', 'AGUagu', '˘'],
  199: ['\u0307', 'CEGIZcegz', '˙'],
  200: ['\u0308', 'AEIOUYaeiouy', '¨'],
  202: ['\u030a', 'AUau', '˚'],
  203: ['\u0327', 'CGKLNRSTcgklnrst', '¸'],
  205: ['\u030b', 'OUou', '˝'],
  206: ['\u0328', 'AEIUaeiu', '˛'],
  207: ['\u030c', 'CDELNRSTZcdelnrstz', 'ˇ'],
};

/** The umlaut, which a draft of the standard distinguished from the diaeresis. */
const UMLAUT = 0xc9;
const UNDERLINE = 0xcc;

const FIRST_MARK = 0xc1;
const LAST_MARK = 0xcf;
const SPACE = 0x20;

/** The bytes of every character of the table that is not ASCII. */
export function latinBytes(): Map<string, readonly number[]> {
  const bytes = new Map<string, readonly number[]>();
  [...upperHalf].forEach((character, i) => {
    if (character !== ' ') bytes.set(character, [0xa0 + i]);
  });
  // # has the same code as in ASCII. The table of 1983 has the currency sign instead of the dollar sign.
  bytes.delete('#');
  for (const [mark, [combining, letters, alone]] of Object.entries(marks)) {
    for (const letter of letters)
      bytes.set((letter + combining).normalize('NFC'), [Number(mark), letter.charCodeAt(0)]);
    if (alone !== '') bytes.set(alone, [Number(mark), SPACE]);
  }
  for (const [character, same] of sameAs) bytes.set(character, defined(bytes.get(same)));
  return bytes;
}

// The table of 1983 has a cedilla, but Romanian needs a comma below. A D with a stroke looks like an eth.
const sameAs = [
  ['Ș', 'Ş'],
  ['ș', 'ş'],
  ['Ț', 'Ţ'],
  ['ț', 'ţ'],
  ['Đ', 'Ð'],
] as const;

/** Maps letters that the table cannot distinguish to one letter, to compare a text with the text that was read back. */
export const unifyLatinLookalikes = (text: string): string =>
  text.replace(/[ȘșȚțĐ]/g, (each) => defined(alike.get(each)));

const alike = new Map<string, string>(sameAs);

/** Whether a byte is a diacritic of the letter after it. */
export const isLatinMark = (byte: number): boolean => byte >= FIRST_MARK && byte <= LAST_MARK;

/**
 * The text of printable bytes. A diacritic is combined with its letter even if the table lacks the pair. Bytes without
 * a character become U+FFFD. @param language BCP 47 tag, if it is known
 */
export function fromLatin(bytes: readonly number[], language = ''): string {
  const text = decoded(bytes);
  if (/^(?:ro|mo)\b/.test(language)) return text.replace(/[ŞşŢţ]/g, (each) => defined(commaBelow[each]));
  return language === '' || /^(?:is|fo)\b/.test(language) ? text : text.replaceAll('Ð', 'Đ');
}

const commaBelow: Readonly<Record<string, string>> = { Ş: 'Ș', ş: 'ș', Ţ: 'Ț', ţ: 'ț' };

function decoded(bytes: readonly number[]): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = itemAt(bytes, i);
    if (byte < 0x7f) text += String.fromCharCode(byte);
    else if (isLatinMark(byte)) text += marked(byte, bytes[++i]);
    else text += upperHalf[byte - 0xa0]?.replace(' ', byte === 0xa0 ? ' ' : '\ufffd') ?? '\ufffd';
  }
  return text;
}

function marked(mark: number, next: number | undefined): string {
  const pair = (mark << 8) | (next ?? SPACE);
  let text = pairs.get(pair);
  if (text === undefined) {
    text = composed(mark, next);
    pairs.set(pair, text);
  }
  return text;
}

/** A cache of decoded pairs: a diacritic and a letter. */
const pairs = new Map<number, string>();

function composed(mark: number, next: number | undefined): string {
  const letter = next === undefined ? ' ' : decoded([next]);
  if (mark === UNDERLINE) return letter;
  const [combining, , alone] = defined(marks[mark === UMLAUT ? 0xc8 : mark]);
  if (letter === ' ') return alone === '' ? '\ufffd' : alone;
  return (letter + combining).normalize('NFC');
}
