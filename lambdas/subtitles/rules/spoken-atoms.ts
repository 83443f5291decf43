/** Finds when each atom of a segment's text is spoken. */
import { itemAt } from '../../../shared/checked-access.ts';
import type { Segment } from '../../../shared/segments.ts';
import { type Atom, atomsOf } from './text.ts';
import { wholeMs } from './timestamps.ts';

export type SpokenAtom = Atom & { start_ms: number; end_ms: number };

/**
 * The atoms of a segment's text, with the times at which they are spoken. The function counts letters in the text and
 * in the segment's words, and takes the time of an atom from the same position in the words. The times are exact if the
 * text differs from the words only in case and punctuation. They are proportional if the text was edited or the segment
 * has no words. An editor may have moved the segment, so the times of its words are scaled to the segment's own times.
 */
export function spokenAtoms(segment: Segment): SpokenAtom[] {
  const start = wholeMs(segment.start_ms);
  const end = Math.max(wholeMs(segment.end_ms), start + 1);
  const atoms = atomsOf(segment.text);
  const count = countOf(segment, atoms);
  const letters = atoms.reduce((sum, atom) => sum + count(atom.text), 0);
  const timeOf = speechClock(segment, { start, end, letters, count });
  let at = 0;
  return atoms.map((atom) => {
    const start_ms = timeOf(at, 'begins');
    at += count(atom.text);
    return { ...atom, start_ms, end_ms: Math.max(timeOf(at, 'ended'), start_ms) };
  });
}

type Count = (text: string) => number;

const allSigns: Count = (text) => text.replace(/\s/g, '').length;
// Punctuation is not spoken. The text of a restored sentence has more punctuation than its words.
const spokenSigns: Count = (text) => text.replace(/[\s\p{P}]/gu, '').length;

/** Counts the letters of a segment. Punctuation counts only if the segment has no letters. */
function countOf({ words }: Segment, atoms: readonly Atom[]): Count {
  const says = ({ text }: { text: string }) => spokenSigns(text) > 0;
  return atoms.some(says) && words.some(says) ? spokenSigns : allSigns;
}

type ClockFace = {
  /** The times of the segment, whole milliseconds. */
  start: number;
  end: number;
  /** The number of letters in the segment's text. */
  letters: number;
  count: Count;
};

/**
 * Tells when a letter of a segment's text begins, or when the letter before it ends, ms. A letter is identified by its
 * offset. Offsets must not decrease from call to call.
 */
function speechClock(segment: Segment, { start, end, letters, count }: ClockFace) {
  let words: { from: number; to: number; start_ms: number; end_ms: number }[] = [];
  let from = 0;
  for (const { text, start_ms, end_ms } of segment.words) {
    const to = from + count(text);
    if (to > from) words.push({ from, to, start_ms, end_ms });
    from = to;
  }
  const first = words[0]?.start_ms ?? 0;
  const last = words.at(-1)?.end_ms ?? 0;
  const usable = last > first && words.every((word) => word.end_ms >= word.start_ms);
  if (!usable) {
    words = [{ from: 0, to: letters, start_ms: start, end_ms: end }];
    from = letters;
  }
  const scale = from / letters;
  const [heardFrom, heardFor] = usable ? [first, last - first] : [start, end - start];
  let current = 0;
  return (offset: number, side: 'begins' | 'ended'): number => {
    const place = offset * scale;
    const isPast = ({ to }: { to: number }) => (side === 'begins' ? place >= to : place > to);
    while (current < words.length - 1 && isPast(itemAt(words, current))) current++;
    const word = itemAt(words, current);
    const share = Math.max(0, place - word.from) / (word.to - word.from);
    const ms = word.start_ms + share * (word.end_ms - word.start_ms);
    const moved = start + ((ms - heardFrom) * (end - start)) / heardFor;
    return Math.round(Math.min(Math.max(moved, start), end));
  };
}
