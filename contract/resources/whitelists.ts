/** Whitelists: words that transcriptions keep unchanged. */
import { mirrored, Name, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Words } from '../kit/words.ts';

export const { createWhitelist, listWhitelists, getWhitelist, updateWhitelist, deleteWhitelist } = crud({
  kind: 'whitelist',
  scope: 'config',
  description:
    'Transcriptions of assets whose template names the list write its words exactly as they are here, with this case and these accents. Blacklists and dictionaries do not change them. A list takes up to 300 KB of words; create another list for more.',
  usedBy: 'a template',
  fields: {
    name: Name,
    words: Words('Words that are preserved'),
    template_id: OptionalId('Template that uses the list in its `whitelist_ids`'),
  },
  leftOut: ['words'],
  references: { template_id: mirrored(targets.template, 'whitelist_ids', 'list') },
  errors: ['payload_too_large'],
  example: { name: 'House names', words: ['Kinora', 'Zoetrope'] },
});
