import * as contract from '../../../build/contract/word-lists.js';
import { configurationResource, type Peculiarities } from '../../../platform/kernel/crud.ts';
import { requireDistinct, requireDistinctTerms, requireInline } from '../rules/word-lists.ts';

const ofWords: Peculiarities = {
  check: (_, { words }) => {
    if (words === undefined) return;
    requireInline('words', words);
    requireDistinct(words as string[], (at) => `/words/${at}`);
  },
};

export const handler = configurationResource(contract, {
  blacklists: ofWords,
  whitelists: ofWords,
  dictionaries: {
    check: (_, { dictionary }) => {
      if (dictionary === undefined) return;
      requireInline('dictionary', dictionary);
      requireDistinctTerms(dictionary as Record<string, string[]>);
    },
  },
});
