/** How far a transcript is from what was said. */

/**
 * The word error rate: substitutions, deletions and insertions over the number of words of the reference
 * (Levenshtein over words). 0 is perfect; above 1 is possible. Case and punctuation do not count, numbers
 * count as they are written. An empty reference gives 0 for an empty hypothesis, otherwise 1 a word.
 */
export function wordErrorRate(reference: string, hypothesis: string): number {
  const said = spokenWords(reference);
  const heard = spokenWords(hypothesis);
  return wordDistance(said, heard) / Math.max(said.length, 1);
}

function spokenWords(text: string): string[] {
  const straight = text.normalize('NFKC').toLowerCase().replace(/[’ʼ]/g, "'");
  return straight.match(/[\p{L}\p{N}\p{M}]+(?:['.,][\p{L}\p{N}\p{M}]+)*/gu) ?? [];
}

function wordDistance(said: readonly string[], heard: readonly string[]): number {
  let previous = Array.from({ length: heard.length + 1 }, (_, i) => i);
  said.forEach((word, i) => {
    const current = [i + 1];
    heard.forEach((other, j) => {
      const substituted = previous[j]! + (word === other ? 0 : 1);
      current.push(Math.min(substituted, previous[j + 1]! + 1, current[j]! + 1));
    });
    previous = current;
  });
  return previous.at(-1)!;
}
