/**
 * Code table 00 (Tech 3264 appendix 2): ISO 6937/2-1983 with its addendum of 1989. A letter with a mark is two
 * bytes, the mark first.
 */

/** What the bytes A0h to FFh mean alone; a blank where they mean nothing, or are a mark. */
const upperHalf =
  ' ¡¢£$¥#§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿' +
  '                —¹®©™♪¬¦    ⅛⅜⅝⅞\u03a9' +
  'ÆÐªĦ ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ ';

/** A mark by its byte: the combining character of Unicode, the letters that the table has with it, the mark alone. */
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

/** An umlaut, where the draft of the standard told it from a diaeresis; and an underline. */
const UMLAUT = 0xc9;
const UNDERLINE = 0xcc;

const FIRST_MARK = 0xc1;
const LAST_MARK = 0xcf;
const SPACE = 0x20;

/** The bytes of every character that the table has beside ASCII. */
export function latinBytes(): Map<string, readonly number[]> {
  const bytes = new Map<string, readonly number[]>();
  [...upperHalf].forEach((character, i) => {
    if (character !== ' ') bytes.set(character, [0xa0 + i]);
  });
  // # is where ASCII has it; there the table of 1983 has no dollar, but the sign of a currency.
  bytes.delete('#');
  for (const [mark, [combining, letters, alone]] of Object.entries(marks)) {
    for (const letter of letters)
      bytes.set((letter + combining).normalize('NFC'), [Number(mark), letter.charCodeAt(0)]);
    if (alone !== '') bytes.set(alone, [Number(mark), SPACE]);
  }
  for (const [character, same] of sameAs) bytes.set(character, bytes.get(same)!);
  return bytes;
}

// Romanian has a comma below where the table of 1983 knows a cedilla; a D with a stroke and an eth look alike.
const sameAs = [
  ['Ș', 'Ş'],
  ['ș', 'ş'],
  ['Ț', 'Ţ'],
  ['ț', 'ţ'],
  ['Đ', 'Ð'],
] as const;

/** A text with one of each two letters that the table writes alike: what can be compared after a file was read. */
export const alikeInLatin = (text: string): string => text.replace(/[ȘșȚțĐ]/g, (each) => alike.get(each)!);

const alike = new Map<string, string>(sameAs);

/** Whether a byte is the mark of the letter after it. */
export const isLatinMark = (byte: number): boolean => byte >= FIRST_MARK && byte <= LAST_MARK;

/**
 * The text of printable bytes, in a language (BCP 47) where it is known. A mark on a letter that the table has not with it is still put on it; what means
 * nothing is U+FFFD.
 */
export function fromLatin(bytes: readonly number[], language = ''): string {
  const text = decoded(bytes);
  if (/^(?:ro|mo)\b/.test(language)) return text.replace(/[ŞşŢţ]/g, (each) => commaBelow[each]!);
  return language === '' || /^(?:is|fo)\b/.test(language) ? text : text.replaceAll('Ð', 'Đ');
}

const commaBelow: Readonly<Record<string, string>> = { Ş: 'Ș', ş: 'ș', Ţ: 'Ț', ţ: 'ț' };

function decoded(bytes: readonly number[]): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
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

/** What was found of marks with their letters. */
const pairs = new Map<number, string>();

function composed(mark: number, next: number | undefined): string {
  const letter = next === undefined ? ' ' : decoded([next]);
  if (mark === UNDERLINE) return letter;
  const [combining, , alone] = marks[mark === UMLAUT ? 0xc8 : mark]!;
  if (letter === ' ') return alone === '' ? '\ufffd' : alone;
  return (letter + combining).normalize('NFC');
}
