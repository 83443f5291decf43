/** Whitelists: words that transcriptions keep unchanged. */
import { mirrored, Name, ofTemplates, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Words } from '../kit/words.ts';

export const { createWhitelist, listWhitelists, getWhitelist, updateWhitelist, deleteWhitelist } = crud({
  kind: 'whitelist',
  scope: 'config',
  description:
    'Transcriptions of assets whose template names the list write its words exactly as they are here, with this case and these accents. Blacklists and dictionaries do not change them. A list takes up to 300 KB of words; create another list for more.',
  usedBy: 'templates',
  fields: {
    name: Name,
    words: Words('Words that are preserved'),
    ...ofTemplates('whitelist_ids'),
  },
  leftOut: ['words'],
  references: {
    template_id: mirrored(targets.template, 'whitelist_ids', 'list'),
    template_ids: targets.template,
  },
  errors: ['payload_too_large'],
  example: { name: 'House names', words: ['Kinora', 'Zoetrope'] },
});
