/** Analyzes English and Spanish texts with rules and word lists. `ENGINE_TEXT_ANALYSIS=word-lists` */

import { itemAt } from '../../shared/checked-access.ts';
import { languageUnsupported } from '../../shared/job-errors.ts';
import { covers, primarySubtag } from '../engine.ts';
import { detectLanguage } from './common-words.ts';
import { englishNames, type Named } from './find-english-names.ts';
import { keyPhrasesOf } from './find-key-phrases.ts';
import { spanishNames } from './find-spanish-names.ts';
import { type FoundEntity, MOST_ENTITIES, type TextAnalysis, textAnalysisEngine } from './port.ts';
import { sentimentOf } from './score-sentiment.ts';

const languages = ['en', 'es'];

export const wordLists = textAnalysisEngine({
  name: 'word-lists',
  runs: ['local'],
  price: null,
  languages,
  moreLanguages: 'Amazon Comprehend (ENGINES=aws) supports more languages.',
  make: () => byRules,
});

const byRules: TextAnalysis = {
  async languageOf(passages) {
    return detectLanguage(passages.join('\n'));
  },
  async analyze(passages, { language, signal }) {
    signal?.throwIfAborted();
    if (!covers(languages, language)) {
      throw languageUnsupported(
        `This environment analyzes texts in English and Spanish, not in "${language}".`,
      );
    }
    const isEnglish = primarySubtag(language) === 'en';
    const named = isEnglish ? englishNames(passages, await compromise()) : spanishNames(passages);
    signal?.throwIfAborted();
    return {
      sentiment: sentimentOf(passages, language),
      entities: entitiesOf(named),
      keyPhrases: keyPhrasesOf(passages, language),
    };
  },
};

const compromise = async () => (await import('compromise')).default;

/** Returns each name once, with its most frequent type. The most frequent names come first. */
const entitiesOf = (named: readonly Named[]): FoundEntity[] =>
  [...Map.groupBy(named, ({ text }) => text.toLowerCase()).values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_ENTITIES)
    .map((ones) => ({
      text: itemAt(ones, 0).text,
      type: mostFrequent(ones.map(({ type }) => type)),
      confidence: null,
    }));

function mostFrequent<T>(values: readonly T[]): T {
  const count = (value: T) => values.filter((one) => one === value).length;
  return values.reduce((most, one) => (count(one) > count(most) ? one : most));
}
