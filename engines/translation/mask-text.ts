/**
 * Stand-ins for what a translation must not change: words of no language, which engines pass on as they are. A mask is
 * made of letters alone, since engines cut words at digits and marks.
 */

/** From the first character to the one after the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a mask stands for, and whether spaces were put around it. */
interface Kept {
  readonly text: string;
  readonly spaced: readonly [before: boolean, after: boolean];
}

export interface Masked {
  readonly text: string;
  /** In the order of the masks. */
  readonly kept: readonly Kept[];
  /** What all masks of the text begin with. */
  readonly stem: string;
}

/** Letters that follow each other in no word of the languages in question. */
const stems = ['Qzx', 'Xqj', 'Zqk', 'Jxq', 'Kqx', 'Vqz'];

/** The text with a mask in the place of each span. Spans are in order and do not overlap. */
export function masked(text: string, spans: readonly Span[]): Masked {
  const stem = unusedStem(text);
  let at = 0;
  const pieces: string[] = [];
  const kept: Kept[] = [];
  for (const [nth, { start, end }] of spans.entries()) {
    const before = text.slice(at, start);
    // A mask that touches a word, or another, would become a part of it; between two the space is of the first.
    const spaced = [isWord(before.at(-1)), isWord(text[end]) || spans[nth + 1]?.start === end] as const;
    pieces.push(before, spaced[0] ? ' ' : '', maskOf(stem, kept.length), spaced[1] ? ' ' : '');
    kept.push({ text: text.slice(start, end), spaced });
    at = end;
  }
  return { text: pieces.join('') + text.slice(at), kept, stem };
}

/** The text with what the masks stand for; null where a mask is missing, or is there more than once. */
export function unmasked(text: string, { kept, stem }: Omit<Masked, 'text'>): string | null {
  const seen = new Set<number>();
  let isSound = true;
  const restored = text.replace(masksOf(stem), (_, before: string, letters: string, after: string) => {
    const index = indexOf(letters);
    const found = kept[index];
    if (found === undefined || seen.has(index)) isSound = false;
    seen.add(index);
    const [spacedBefore, spacedAfter] = found?.spaced ?? [false, false];
    return `${spacedBefore ? '' : before}${found?.text ?? ''}${spacedAfter ? '' : after}`;
  });
  return isSound && seen.size === kept.length ? restored : null;
}

const masksOf = (stem: string) => new RegExp(`( ?)${stem}([a-y]+?)z( ?)`, 'gi');

const maskOf = (stem: string, index: number) => `${stem}${lettersOf(index)}z`;

const LETTERS = 25;

/** 0 → `a`, 24 → `y`, 25 → `ba`: never a `z`, with which a mask ends. */
const lettersOf = (index: number): string =>
  index < LETTERS
    ? String.fromCharCode(97 + index)
    : lettersOf(Math.floor(index / LETTERS)) + lettersOf(index % LETTERS);

const indexOf = (letters: string): number =>
  [...letters.toLowerCase()].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 97, 0);

function unusedStem(text: string): string {
  const lower = text.toLowerCase();
  const free = stems.find((stem) => !lower.includes(stem.toLowerCase()));
  if (free !== undefined) return free;
  // Somebody wrote all of them.
  let stem = `${stems[0]}b`;
  while (lower.includes(stem.toLowerCase())) stem += 'b';
  return stem;
}

/** Halves of surrogate pairs count: letters beyond the first 65,536 are letters as well. */
const isWord = (character = '') => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(character);
