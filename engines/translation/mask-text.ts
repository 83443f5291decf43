/** Masks the parts of a text that must not change. A mask is an invented word of letters, because engines split words at digits. */

/** The range of a part of the text. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text that a mask replaces, and whether a space was added before and after the mask. */
interface Kept {
  readonly text: string;
  readonly spaced: readonly [before: boolean, after: boolean];
}

export interface Masked {
  readonly text: string;
  readonly kept: readonly Kept[];
  readonly stem: string;
}

/** Letter sequences that occur in no word of the supported languages. */
const stems = ['Qzx', 'Xqj', 'Zqk', 'Jxq', 'Kqx', 'Vqz'];

/** Replaces each span by a mask. Spans are in order and do not overlap. */
export function maskSpans(text: string, spans: readonly Span[]): Masked {
  const stem = unusedStem(text);
  let at = 0;
  const pieces: string[] = [];
  const kept: Kept[] = [];
  for (const [nth, { start, end }] of spans.entries()) {
    const before = text.slice(at, start);
    // A mask must not touch a word or another mask. A space between two masks belongs to the first mask.
    const spaced = [isWord(before.at(-1)), isWord(text[end]) || spans[nth + 1]?.start === end] as const;
    pieces.push(before, spaced[0] ? ' ' : '', maskOf(stem, kept.length), spaced[1] ? ' ' : '');
    kept.push({ text: text.slice(start, end), spaced });
    at = end;
  }
  return { text: pieces.join('') + text.slice(at), kept, stem };
}

/** Replaces the masks by the original texts. Returns null if a mask is missing or occurs twice. */
export function unmask(text: string, { kept, stem }: Omit<Masked, 'text'>): string | null {
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

/** Converts a number to letters: 0 → `a`, 24 → `y`, 25 → `ba`. Never uses `z`, because each mask ends with `z`. */
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
  // The text contains all stems of the list, so a new stem is made.
  let stem = `${stems[0]}b`;
  while (lower.includes(stem.toLowerCase())) stem += 'b';
  return stem;
}

/** Whether a character is part of a word. Half of a surrogate pair counts, because the pair may be a letter above U+FFFF. */
const isWord = (character = '') => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(character);
