/** Cuts texts that are longer than a service takes: after a sentence, else between words, else anywhere. */

const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*\s|\n/gu;
const SPACE = /\s/gu;

/** Parts that a length is at most `most` of, in order; together they are the text. @param most of `lengthOf` */
export function inParts(text: string, most: number, lengthOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (lengthOf(rest) > most) {
    const fits = longestFitting(rest, most, lengthOf);
    const cut = lastEnd(fits, SENTENCE_END) ?? lastEnd(fits, SPACE) ?? fits.length;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return rest.trim() === '' && parts.length > 0 ? parts : [...parts, rest];
}

/** The longest beginning that fits, in whole characters; one at least. */
function longestFitting(text: string, most: number, lengthOf: (text: string) => number): string {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lengthOf(text.slice(0, middle)) <= most) low = middle;
    else high = middle - 1;
  }
  const splitsPair = /[\ud800-\udbff]/.test(text[low - 1]!);
  if (!splitsPair) return text.slice(0, low);
  return text.slice(0, low === 1 ? 2 : low - 1);
}

function lastEnd(text: string, pattern: RegExp): number | null {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? null : last.index + last[0].length;
}
