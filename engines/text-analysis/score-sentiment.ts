/** Scores the sentiment of a text with lists of positive and negative words, and of words that negate or strengthen them. */
import { wordsOf } from './common-words.ts';
import type { Sentiment } from './port.ts';
import { sentimentWords } from './sentiment-words.ts';

/** A negation inverts this many words after it. */
const NEGATED_WORDS = 3;
/** The weight that each word adds to the label Neutral. With this, a text with few positive or negative words is neutral. */
const NEUTRAL_SHARE = 0.025;

/** Returns the sentiment. Null if there is no list for the language, or if the text has no words. */
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
      if (lexicon.negations.has(word)) negatedUntil = at + NEGATED_WORDS;
      const polarity = lexicon.polarity(word);
      if (polarity === 0) continue;
      const weight = lexicon.stronger.has(words[at - 1] ?? '') ? 1.5 : 1;
      const isPositive = polarity > 0 !== at <= negatedUntil;
      felt[isPositive ? 'Positive' : 'Negative'] += weight;
    }
  }
  if (count === 0) return null;
  return heaviest({ ...felt, Neutral: 1 + NEUTRAL_SHARE * count });
}

export function heaviest(weights: Readonly<Record<Sentiment['label'], number>>): Sentiment {
  const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const entries = Object.entries(weights) as [Sentiment['label'], number][];
  const [label, weight] = entries.reduce((most, one) => (one[1] > most[1] ? one : most));
  return { label, score: Math.round((weight / all) * 1000) / 1000 };
}
