/** Dictionaries: terms and their expansions. */
import Type from 'typebox';
import { mirrored, Name, ofTemplates, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Word } from '../kit/words.ts';

const Terms = Type.Object(
  {},
  {
    additionalProperties: Type.Array(Word('Expansion'), { minItems: 1, maxItems: 100, uniqueItems: true }),
    propertyNames: Word('Term'),
    minProperties: 1,
    description:
      'Expansions of each term. Terms must differ in more than case, and so must the expansions of one term. At most 300 KB as UTF-8 JSON',
  },
);

export const { createDictionary, listDictionaries, getDictionary, updateDictionary, deleteDictionary } = crud(
  {
    kind: 'dictionary',
    plural: 'dictionaries',
    scope: 'config',
    description:
      'Terms of a field and their expansions. Transcriptions of assets whose template names the dictionary show the first expansion instead of the term, unless a whitelist has the term. A dictionary takes up to 300 KB; create another one for more.',
    usedBy: 'templates',
    fields: {
      name: Name,
      dictionary: Terms,
      ...ofTemplates('domain_dictionary_ids'),
    },
    leftOut: ['dictionary'],
    references: {
      template_id: mirrored(targets.template, 'domain_dictionary_ids', 'list'),
      template_ids: targets.template,
    },
    errors: ['payload_too_large'],
    example: { name: 'Newsroom', dictionary: { VO: ['voice over'], 'B-roll': ['supplementary footage'] } },
  },
);
