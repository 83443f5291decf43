/** Text analysis by rules and word lists, in English and Spanish: nothing leaves the machine, and nothing is loaded from elsewhere. */
import { languageUnsupported } from '../../shared/job-errors.ts';
import { covers, primarySubtag } from '../engine.ts';
import { languageByWords } from './common-words.ts';
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
  moreLanguages: 'Amazon Comprehend, with ENGINES=aws, knows more.',
  settings: {},
  permissions: {},
  make: () => byRules,
});

const byRules: TextAnalysis = {
  async languageOf(passages) {
    return languageByWords(passages.join('\n'));
  },
  async analyze(passages, { language, signal }) {
    signal?.throwIfAborted();
    if (!covers(languages, language)) {
      throw languageUnsupported(
        `The texts of an asset are analysed in English and Spanish here, not in "${language}".`,
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

/** Each name once, as the type that it was taken for most often; those that are named most first. */
function entitiesOf(named: readonly Named[]): FoundEntity[] {
  const mentions = new Map<string, Named[]>();
  for (const one of named) {
    const key = one.text.toLowerCase();
    mentions.set(key, [...(mentions.get(key) ?? []), one]);
  }
  return [...mentions.values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_ENTITIES)
    .map((ones) => ({
      text: ones[0]!.text,
      type: commonest(ones.map(({ type }) => type)),
      confidence: null,
    }));
}

function commonest<T>(values: readonly T[]): T {
  const count = (value: T) => values.filter((one) => one === value).length;
  return values.reduce((most, one) => (count(one) > count(most) ? one : most));
}
