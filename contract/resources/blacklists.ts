/** Blacklists: words that are removed from transcriptions. */
import { exampleIds, mirrored, Name, ofTemplates, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Uuid } from '../kit/schemas.ts';
import { Words } from '../kit/words.ts';

export const { createBlacklist, listBlacklists, getBlacklist, updateBlacklist, deleteBlacklist } = crud({
  kind: 'blacklist',
  scope: 'config',
  description:
    'Removes its words from transcriptions in its language, if the template of the asset names the list. It matches whole words and phrases, ignores case and accents, and leaves words that a whitelist has. A removed word becomes silence. A list takes up to 300 KB of words; create another list for more.',
  usedBy: 'templates',
  fields: {
    name: Name,
    words: Words('Words that are filtered from transcriptions'),
    language_id: Uuid('Language of the words'),
    ...ofTemplates('blacklist_ids'),
  },
  leftOut: ['words'],
  references: {
    language_id: targets.language,
    template_id: mirrored(targets.template, 'blacklist_ids', 'list'),
    template_ids: targets.template,
  },
  errors: ['payload_too_large'],
  example: { name: 'Mild swearing', words: ['darn', 'heck'], language_id: exampleIds.language },
});
