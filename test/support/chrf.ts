/** Measures how similar a translation is to a reference, by common characters. */

const MOST_CHARACTERS = 6;
/** Recall counts twice as much as precision. */
const BETA = 2;

/**
 * chrF2 of a whole text, 0 to 100: the F-score of n-grams of 1 to 6 characters over all sentences, without spaces.
 * Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation", as in sacrebleu: orders that are too long
 * for either side do not count.
 */
export function chrF(translations: readonly string[], references: readonly string[]): number {
  const scores: number[] = [];
  for (let n = 1; n <= MOST_CHARACTERS; n += 1) {
    let [shared, found, wanted] = [0, 0, 0];
    for (const [nth, reference] of references.entries()) {
      const own = gramsOf(translations[nth] ?? '', n);
      const other = gramsOf(reference, n);
      found += sumOf(own);
      wanted += sumOf(other);
      for (const [gram, count] of own) shared += Math.min(count, other.get(gram) ?? 0);
    }
    if (found === 0 || wanted === 0) continue;
    const [precision, recall] = [shared / found, shared / wanted];
    const weighted = BETA ** 2 * precision + recall;
    scores.push(weighted === 0 ? 0 : ((1 + BETA ** 2) * precision * recall) / weighted);
  }
  return scores.length === 0 ? 0 : (100 * scores.reduce((sum, score) => sum + score, 0)) / scores.length;
}

function gramsOf(text: string, n: number): Map<string, number> {
  const characters = [...text.replace(/\s+/gu, '')];
  const grams = new Map<string, number>();
  for (let at = 0; at + n <= characters.length; at += 1) {
    const gram = characters.slice(at, at + n).join('');
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
