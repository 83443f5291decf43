/** Finds key phrases: uncommon words that occur together repeatedly. */
import { commonWords, wordsOf } from './common-words.ts';
import { type KeyPhrase, MOST_PHRASES } from './port.ts';

/** The maximum number of words in a phrase. A longer run is a whole sentence that contains no common words. */
const MAX_WORDS = 3;

/**
 * Uses rapid automatic keyword extraction (Rose et al. 2010). Candidates are the runs of words between common words and
 * punctuation. The weight of a word is the mean number of words in its runs. Unlike in the paper, a phrase counts each time it
 * occurs, because a phrase that occurs once in an hour is not a key phrase.
 */
export function keyPhrasesOf(passages: readonly string[], language: string): KeyPhrase[] {
  const common = commonWords(language);
  const counts = new Map<string, number>();
  const said = new Map<string, number>();
  const beside = new Map<string, number>();
  for (const run of passages.flatMap((passage) => runsIn(passage, common))) {
    for (const word of run) {
      said.set(word, (said.get(word) ?? 0) + 1);
      beside.set(word, (beside.get(word) ?? 0) + run.length);
    }
    const phrase = run.join(' ');
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
    if (run.length > 1) for (const word of run) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weigh = (phrase: string) => {
    const words = phrase.split(' ');
    const degree = words.reduce((sum, word) => sum + (beside.get(word) ?? 0) / (said.get(word) ?? 1), 0);
    return (counts.get(phrase) ?? 0) * Math.sqrt(degree);
  };
  return rankPhrases([...counts.keys()].map((text) => ({ text, weight: weigh(text) })));
}

/** Returns the most relevant phrases first. If one phrase contains another, keeps only the one with more weight. */
export function rankPhrases(phrases: readonly { text: string; weight: number }[]): KeyPhrase[] {
  const sorted = phrases.toSorted(
    (one, other) => other.weight - one.weight || (one.text < other.text ? -1 : 1),
  );
  const kept: { text: string; weight: number }[] = [];
  for (const phrase of sorted) {
    if (kept.length === MOST_PHRASES) break;
    const isWithin = kept.some(({ text }) => ` ${text} `.includes(` ${phrase.text} `));
    const isAround = kept.some(({ text }) => ` ${phrase.text} `.includes(` ${text} `));
    if (!isWithin && !isAround) kept.push(phrase);
  }
  const most = kept[0]?.weight ?? 1;
  return kept.map(({ text, weight }) => ({ text, relevance: Math.round((weight / most) * 1000) / 1000 }));
}

function runsIn(passage: string, common: ReadonlySet<string>): string[][] {
  const runs: string[][] = [];
  for (const part of passage.split(/[.,;:!?¿¡()[\]"“”«»…–—]+|\s-\s/u)) {
    let run: string[] = [];
    for (const word of wordsOf(part)) {
      const isKey = word.length > 2 && !common.has(word) && !/^\d/.test(word);
      if (isKey) run.push(word);
      if (!isKey || run.length === MAX_WORDS) {
        if (run.length > 0) runs.push(run);
        run = [];
      }
    }
    if (run.length > 0) runs.push(run);
  }
  return runs;
}
