/** Splits and groups texts for engines with a maximum text length. */

const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*\s|\n/gu;
const SPACE = /\s/gu;

/** Splits a text into parts, without removing characters. @param lengthOf returns a length in the unit of `max` */
export function splitText(text: string, max: number, lengthOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (lengthOf(rest) > max) {
    const fitting = longestFitting(rest, max, lengthOf);
    const cut = lastEnd(fitting, SENTENCE_END) ?? lastEnd(fitting, SPACE) ?? fitting.length;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return rest.trim() === '' && parts.length > 0 ? parts : [...parts, rest];
}

/** Returns the longest start of the text that fits. It contains at least one character, and never splits a character. */
function longestFitting(text: string, max: number, lengthOf: (text: string) => number): string {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lengthOf(text.slice(0, middle)) <= max) low = middle;
    else high = middle - 1;
  }
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(low - 1));
  if (!splitsPair) return text.slice(0, low);
  return text.slice(0, low === 1 ? 2 : low - 1);
}

function lastEnd(text: string, pattern: RegExp): number | null {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? null : last.index + last[0].length;
}

export const byteLength = (text: string): number => Buffer.byteLength(text);

/** Groups texts in order. The texts of a group, joined by the separator, have at most `maxBytes` of UTF-8. */
export function groupTexts(texts: readonly string[], maxBytes: number, separator: string): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  let size = 0;
  for (const text of texts) {
    const bytes = byteLength(text) + byteLength(separator);
    if (group.length === 0 || size + bytes > maxBytes + byteLength(separator)) {
      group = [];
      groups.push(group);
      size = 0;
    }
    group.push(text);
    size += bytes;
  }
  return groups;
}
