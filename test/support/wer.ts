/** Measures the errors of a transcript. */

/**
 * The word error rate: substitutions, deletions and insertions, divided by the number of words of the reference
 * (Levenshtein over words). 0 is perfect. Values above 1 are possible. Ignores case and punctuation. An empty reference
 * gives 0 for an empty hypothesis, and otherwise the number of words.
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
