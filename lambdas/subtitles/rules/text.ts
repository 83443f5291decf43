/** Cleans text for the screen, and cuts it into the smallest pieces between which a line may break. */
import { displayWidth, isUnspaced } from './script.ts';

/** The smallest unit of layout: a word. In scripts without spaces, an atom is a dictionary word. */
export type Atom = {
  text: string;
  /** Whether a space precedes the atom. At the beginning of a line, the space is left out. */
  spaced: boolean;
  /** Whether the text has a line break before the atom. */
  opensLine?: true;
  /** The width of the atom in columns (see `displayWidth`), at least one. */
  width: number;
};

// Control characters and byte order marks, which are invisible.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const VANISHING = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff]/g;
// All spaces except no-break spaces. French typography needs no-break spaces.
const BLANKS = /(?:[^\S\u00a0\u202f]|\u0085)+/g;
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

// JIS X 4051 (kinsoku): characters that may not begin a line, and characters that may not end a line. No-break spaces
// are in both sets.
const NEVER_FIRST =
  /^[\p{Pe}\p{Pf}\p{Po}\u00a0\u202fーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〜～‥ๆฯ]/u;
const NEVER_LAST = /[\p{Ps}\p{Pi}\u00a0\u202f]$/u;

// Punctuation between spaces, as in French, belongs to the word before or after it.
const CLOSING_ALONE = /^[\p{Pe}\p{Pf}?!:;%.,…]+$/u;
const OPENING_ALONE = /^[\p{Ps}\p{Pi}¿¡]+$/u;
/** If more punctuation marks than this follow each other, a line may break between them. */
const MOST_ALONE = 4;

/** The file without its byte order mark, with `\n` line ends. */
export function withUnixLineEnds(file: string): string {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Cleans one line of text: removes control characters and lone surrogates, makes single spaces, and trims both ends. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(VANISHING, '').replace(BLANKS, ' ').trim();
}

/** The lines of a cue, split at line breaks and cleaned. Blank lines are left out. */
export function cleanLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(LINE_ENDS))
    .map(cleanText)
    .filter((line) => line !== '');
}

// Words with one space between them. The words have visible ASCII except `&<>{`, letters of other alphabets, ideographs
// or syllables. Neither cleaning nor the escapes of any format change such a line.
const PLAIN_LINE =
  /^[!-%'-;=?-z|}~\u00a1-\u167f\u3001-\ud7ff]+(?: [!-%'-;=?-z|}~\u00a1-\u167f\u3001-\ud7ff]+)*$/;

const plain = new WeakSet<readonly string[]>();

/** Returns the same lines, and remembers whether they are plain: the layout runs once, but cues are often written again. */
export function rememberPlainLines(lines: string[]): string[] {
  if (lines.every((line) => PLAIN_LINE.test(line))) plain.add(lines);
  return lines;
}

export function cueText(lines: readonly string[], escaped: (line: string) => string): string {
  if (plain.has(lines)) return lines.length === 2 ? `${lines[0]}\n${lines[1]}` : lines.join('\n');
  let text = '';
  for (const line of lines) {
    const written = PLAIN_LINE.test(line) ? line : cleanLines([line]).map(escaped).join('\n');
    if (written !== '') text = text === '' ? written : `${text}\n${written}`;
  }
  return text;
}

/** Cuts a text where a line may break. Joining the atoms returns the cleaned text. */
export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = [];
  for (const line of writtenText(text).split('\n')) {
    wordsOf(line).forEach((token, at) => {
      const parts = isUnspaced(token) ? unspacedParts(token) : [token];
      parts.forEach((part, i) => {
        const isFirst = i === 0 && atoms.length > 0;
        const atom: Atom = { text: part, spaced: isFirst, width: Math.max(displayWidth(part), 1) };
        atoms.push(isFirst && at === 0 ? { ...atom, opensLine: true } : atom);
      });
    });
  }
  return atoms;
}

/** The words of a line. Punctuation between spaces becomes part of the neighboring word. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let opening = '';
  let alone = 0;
  for (const token of line.split(' ')) {
    if (token === '') continue;
    const opens = OPENING_ALONE.test(token);
    const closes = opening === '' && words.length > 0 && CLOSING_ALONE.test(token);
    alone = opens || closes ? alone + 1 : 0;
    if (opens && alone <= MOST_ALONE) opening += `${token} `;
    else if (closes && alone <= MOST_ALONE) words.push(`${words.pop()} ${token}`);
    else {
      words.push(opening + token);
      opening = '';
      alone = 0;
    }
  }
  return opening === '' ? words : [...words, opening.trimEnd()];
}

/** Cleans a text like `cleanText`. Line breaks between words stay. */
export function writtenText(text: string): string {
  if (!LINE_ENDS.test(text)) return cleanText(text);
  const ended = (blank: string) => (LINE_ENDS.test(blank) ? '\n' : ' ');
  return text.toWellFormed().replace(VANISHING, '').replace(BLANKS, ended).trim();
}

export function joinAtoms(atoms: readonly Atom[]): string {
  let text = '';
  for (const atom of atoms) text += atom.spaced && text !== '' ? ` ${atom.text}` : atom.text;
  return text;
}

let dictionary: Intl.Segmenter | undefined;

function unspacedParts(token: string): string[] {
  dictionary ??= new Intl.Segmenter('und', { granularity: 'word' });
  const parts: string[] = [];
  for (const { segment } of dictionary.segment(token)) {
    const last = parts.at(-1);
    // The space between punctuation and its word becomes part of the word.
    const isOfSign = segment === ' ' || last?.endsWith(' ') === true;
    const clings = last !== undefined && (isOfSign || NEVER_FIRST.test(segment) || NEVER_LAST.test(last));
    if (clings) parts[parts.length - 1] = last + segment;
    else parts.push(segment);
  }
  return parts;
}
