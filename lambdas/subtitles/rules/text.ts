/** Text made safe to show, and cut into the smallest pieces that a line may be broken between. */

import { displayWidth, isUnspaced } from './script.ts';

/** The smallest unit of layout: a word, or in scripts without spaces a word the dictionary knows. */
export type Atom = {
  text: string;
  /** Whether a space stands before it when it does not begin a line. */
  spaced: boolean;
  /** Whether somebody wrote it on a line below the one before it. */
  opensLine?: true;
  /** How wide the text is in columns, see `displayWidth`; at least one, whatever it is made of. */
  width: number;
};

// Controls and byte order marks: nothing that a subtitle shows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const VANISHING = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff]/g;
// Every kind of space but those that forbid a break (French typography relies on them).
const BLANKS = /(?:[^\S\u00a0\u202f]|\u0085)+/g;
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

// JIS X 4051 (kinsoku): what may not begin a line, and what may not end one; and spaces that forbid a break.
const NEVER_FIRST =
  /^[\p{Pe}\p{Pf}\p{Po}\u00a0\u202fーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〜～‥ๆฯ]/u;
const NEVER_LAST = /[\p{Ps}\p{Pi}\u00a0\u202f]$/u;

// Signs that stand alone, as in French, belong to the word before them or after them.
const CLOSING_ALONE = /^[\p{Pe}\p{Pf}?!:;%.,…]+$/u;
const OPENING_ALONE = /^[\p{Ps}\p{Pi}¿¡]+$/u;
/** How many of them in a row do: more are a text of their own, which has to be broken somewhere. */
const MOST_ALONE = 4;

/** A file without a byte order mark, every line end of it a line feed. */
export function withUnixLineEnds(file: string): string {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** One line of showable text: no controls, no lone surrogates, single spaces, trimmed. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(VANISHING, '').replace(BLANKS, ' ').trim();
}

/** The lines of a cue as they can be written: split at line ends, cleaned, none of them blank. */
export function cleanLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(LINE_ENDS))
    .map(cleanText)
    .filter((line) => line !== '');
}

// Words of visible ASCII without `&<>{`, of the alphabets that follow, of ideographs or syllables, one space
// between them: lines that neither cleaning nor any format's escaping would change.
const PLAIN_LINE =
  /^[!-%'-;=?-z|}~\u00a1-\u167f\u3001-\ud7ff]+(?: [!-%'-;=?-z|}~\u00a1-\u167f\u3001-\ud7ff]+)*$/;

/** Lines that were seen to be plain. */
const plain = new WeakSet<readonly string[]>();

/** The same lines. Where all are plain, who writes them need not look at them again: cues are laid once and written often. */
export function laidLines(lines: string[]): string[] {
  if (lines.every((line) => PLAIN_LINE.test(line))) plain.add(lines);
  return lines;
}

/** The lines of a cue as a file carries them, cleaned and, where it may matter, escaped by the format's rules. */
export function payload(lines: readonly string[], escaped: (line: string) => string): string {
  if (plain.has(lines)) return lines.length === 2 ? `${lines[0]}\n${lines[1]}` : lines.join('\n');
  let text = '';
  for (const line of lines) {
    const written = PLAIN_LINE.test(line) ? line : cleanLines([line]).map(escaped).join('\n');
    if (written !== '') text = text === '' ? written : `${text}\n${written}`;
  }
  return text;
}

/** Cuts a text where a line could be broken; joining the atoms again gives the cleaned text. */
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

/** What spaces part on a line, each with the signs that stand alone beside it. */
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

/** What `cleanText` makes of a text, but for the ends of lines that somebody wrote between two words. */
export function writtenText(text: string): string {
  if (!LINE_ENDS.test(text)) return cleanText(text);
  const ended = (blank: string) => (LINE_ENDS.test(blank) ? '\n' : ' ');
  return text.toWellFormed().replace(VANISHING, '').replace(BLANKS, ended).trim();
}

/** The text of neighbouring atoms on one line. */
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
    // A space is of a sign that stands alone, which belongs to the word.
    const isOfSign = segment === ' ' || last?.endsWith(' ') === true;
    const clings = last !== undefined && (isOfSign || NEVER_FIRST.test(segment) || NEVER_LAST.test(last));
    if (clings) parts[parts.length - 1] = last + segment;
    else parts.push(segment);
  }
  return parts;
}
