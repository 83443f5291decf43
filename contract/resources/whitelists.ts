/** Whitelists: words that transcriptions keep as they are. */
import { mirrored, Name, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Words } from '../kit/words.ts';

export const { createWhitelist, listWhitelists, getWhitelist, updateWhitelist, deleteWhitelist } = crud({
  one: 'Whitelist',
  many: 'Whitelists',
  kind: 'whitelist',
  kinds: 'whitelists',
  type: 'whitelists',
  path: '/v1/whitelists',
  id: 'whitelist_id',
  scope: 'config',
  description:
    'Transcriptions of assets whose template names it have the words as they are written here, whatever their case and accents as they were heard; neither a blacklist nor a dictionary changes them. Send up to 300 KB of words; make another list for more.',
  usedBy: 'a template',
  fields: {
    name: Name,
    words: Words('Words that are preserved'),
    template_id: OptionalId('Template that uses the list; it has it in `whitelist_ids`'),
  },
  leftOut: ['words'],
  references: { template_id: mirrored(targets.template, 'whitelist_ids', 'list') },
  errors: ['payload_too_large'],
  example: { name: 'House names', words: ['Kinora', 'Zoetrope'] },
});
