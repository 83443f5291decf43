import * as contract from '../../../build/contract/word-lists.js';
import { configurationResource, type Peculiarities } from '../../../platform/kernel/crud.ts';
import { compact, idsIn } from '../../../platform/records/mirrored-members.ts';
import { requireDistinct, requireDistinctTerms, requireInline } from '../rules/word-lists.ts';

/** A list is stored with the ids of all its templates in `template_id`. */
const ofTemplates: Peculiarities = {
  stored: async ({ template_ids, ...given }, _tenant, _id, before) => {
    const { template_id, ...others } = given;
    const all = template_ids === undefined ? null : idsIn(template_ids);
    const isShown = template_id === undefined || template_id === (idsIn(before?.template_id)[0] ?? null);
    if (!isShown && !all?.includes(String(template_id))) return given;
    // A request that repeats the shown template keeps the others.
    return all === null ? others : { ...others, template_id: compact(all) };
  },
  shown: ({ template_id }) => {
    const template_ids = idsIn(template_id);
    return { template_id: template_ids[0] ?? null, template_ids };
  },
};

const ofWords: Peculiarities = {
  ...ofTemplates,
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
    ...ofTemplates,
    check: (_, { dictionary }) => {
      if (dictionary === undefined) return;
      requireInline('dictionary', dictionary);
      requireDistinctTerms(dictionary as Record<string, string[]>);
    },
  },
});
