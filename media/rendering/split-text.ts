/** Splits text that is too long for one page into several pages. */

import { defined, itemAt } from '../../shared/checked-access.ts';
import type { MeasuredText, Piece } from './lay-out-text.ts';

/** Bonuses for a part that ends at a good place. They are subtracted from the deviation of its length, a share of the ideal length. */
const SENTENCE_ENDED = 0.5;
const CLAUSE_ENDED = 0.3;
const LINE_ENDED = 0.2;

const SENTENCE = /[.!?…。！？؟।][\p{Pf}\p{Pe}"']*$/u;
const CLAUSE = /[,;:–—、，；：،][\p{Pf}\p{Pe}"']*$/u;

/** Splits text into as few parts as possible, of similar length. @param room the maximum line width, in em @param max the maximum lines of a part */
export function splitText({ pieces, ends }: MeasuredText, room: number, max: number): (readonly Piece[])[] {
  const count = pieces.length;
  const lineEnds = endsOfLines(pieces, room);
  const lines = new Array<number>(count + 1).fill(0);
  /** For each piece, the width of the text from this piece to the end. */
  const lengths = new Array<number>(count + 1).fill(0);
  for (let at = count - 1; at >= 0; at--) {
    lines[at] = 1 + defined(lines[itemAt(lineEnds, at)]);
    lengths[at] = itemAt(lengths, at + 1) + itemAt(pieces, at).width;
  }
  const endAfter = (first: number): number => {
    const left = Math.ceil(itemAt(lines, first) / max);
    if (left <= 1) return count;
    const wanted = itemAt(lengths, first) / left;
    let [best, least] = [first + 1, Number.POSITIVE_INFINITY];
    for (let end = first + 1; end <= endOfLines(first, max, lineEnds); end++) {
      // The rest must fit into the remaining parts. The rest always fits if this part has the maximum number of lines.
      if (itemAt(lines, end) > max * (left - 1)) continue;
      const deviation = Math.abs(itemAt(lengths, first) - itemAt(lengths, end) - wanted) / wanted;
      const cost = deviation - gain(itemAt(pieces, end - 1).text, ends.has(end - 1));
      if (cost < least) [best, least] = [end, cost];
    }
    return best;
  };
  const parts: (readonly Piece[])[] = [];
  for (let first = 0; first < count; ) {
    const end = endAfter(first);
    parts.push(pieces.slice(first, end));
    first = end;
  }
  return parts;
}

function endsOfLines(pieces: readonly Piece[], room: number): number[] {
  let [end, width] = [0, 0];
  return pieces.map((piece, first) => {
    while (
      end < pieces.length &&
      (end === first || width + itemAt(pieces, end).width - piece.space <= room)
    ) {
      width += itemAt(pieces, end).width;
      end += 1;
    }
    width -= piece.width;
    return end;
  });
}

function endOfLines(first: number, count: number, lineEnds: readonly number[]): number {
  let end = first;
  for (let line = 0; line < count && end < lineEnds.length; line++) end = itemAt(lineEnds, end);
  return end;
}

function gain(text: string, lineEnded: boolean): number {
  if (SENTENCE.test(text)) return SENTENCE_ENDED;
  if (CLAUSE.test(text)) return CLAUSE_ENDED;
  return lineEnded ? LINE_ENDED : 0;
}
