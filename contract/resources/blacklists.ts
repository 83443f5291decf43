/** Blacklists: words that transcriptions do not show. */
import { exampleIds, mirrored, Name, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Uuid } from '../kit/schemas.ts';
import { Words } from '../kit/words.ts';

export const { createBlacklist, listBlacklists, getBlacklist, updateBlacklist, deleteBlacklist } = crud({
  one: 'Blacklist',
  many: 'Blacklists',
  kind: 'blacklist',
  kinds: 'blacklists',
  type: 'blacklists',
  path: '/v1/blacklists',
  id: 'blacklist_id',
  scope: 'config',
  description:
    'Transcriptions in its language, of assets whose template names it, leave the words out: whole words and phrases, whatever their case and accents, unless a whitelist has them. Where one was said is silence then. Send up to 300 KB of words; make another list for more.',
  usedBy: 'a template',
  fields: {
    name: Name,
    words: Words('Words that are filtered from transcriptions'),
    language_id: Uuid('Language of the words'),
    template_id: OptionalId('Template that uses the list; it has it in `blacklist_ids`'),
  },
  leftOut: ['words'],
  references: {
    language_id: targets.language,
    template_id: mirrored(targets.template, 'blacklist_ids', 'list'),
  },
  errors: ['payload_too_large'],
  example: { name: 'Mild swearing', words: ['darn', 'heck'], language_id: exampleIds.language },
});
