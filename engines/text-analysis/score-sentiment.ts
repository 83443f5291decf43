/** Whether a text speaks well or ill of things: by words that do, and by what turns them round. */

import { wordsOf } from './common-words.ts';
import type { Sentiment } from './port.ts';
import { sentimentWords } from './sentiment-words.ts';

/** So many words after a negation are turned round. */
const NEGATED = 3;
/** What is neither counts as so many words of feeling for each word: texts without any are neutral. */
const NEUTRAL_SHARE = 0.025;

/** Null where there are no words for the language, or no words at all. */
export function sentimentOf(passages: readonly string[], language: string): Sentiment | null {
  const lexicon = sentimentWords(language);
  if (lexicon === null) return null;
  const felt = { Positive: 0, Negative: 0 };
  let count = 0;
  for (const passage of passages) {
    const words = wordsOf(passage);
    count += words.length;
    let negatedUntil = -1;
    for (const [at, word] of words.entries()) {
      if (lexicon.negations.has(word)) negatedUntil = at + NEGATED;
      const polarity = lexicon.polarity(word);
      if (polarity === 0) continue;
      const weight = lexicon.stronger.has(words[at - 1] ?? '') ? 1.5 : 1;
      const isPositive = polarity > 0 !== at <= negatedUntil;
      felt[isPositive ? 'Positive' : 'Negative'] += weight;
    }
  }
  if (count === 0) return null;
  return mostOf({ ...felt, Neutral: 1 + NEUTRAL_SHARE * count });
}

/** The label with the greatest weight, and its share. */
export function mostOf(weights: Readonly<Record<Sentiment['label'], number>>): Sentiment {
  const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const entries = Object.entries(weights) as [Sentiment['label'], number][];
  const [label, weight] = entries.reduce((most, one) => (one[1] > most[1] ? one : most));
  return { label, score: Math.round((weight / all) * 1000) / 1000 };
}
