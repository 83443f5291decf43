/** Templates: the processing that assets get by default. */
import Type from 'typebox';
import { exampleIds, Ids, LinkedIds, mirrored, Name, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { Strict } from '../kit/schemas.ts';

const VoiceOverConfig = Strict(
  {
    clone_voice: Type.Optional(
      Type.Boolean({ default: false, description: "Speak with the original speaker's voice" }),
    ),
    mute_original_voice: Type.Optional(
      Type.Boolean({ default: false, description: 'Remove the original voice instead of lowering it' }),
    ),
  },
  { $id: 'VoiceOverConfig', default: { clone_voice: false, mute_original_voice: false } },
);

export const { createTemplate, listTemplates, getTemplate, updateTemplate, deleteTemplate } = crud({
  kind: 'template',
  scope: 'config',
  description:
    'The processing of every asset that is created with the template. A change applies to assets that are uploaded after it.',
  usedBy: 'collections or channels',
  deletion:
    'Its word lists stay, without a template. Assets keep its id, and their jobs continue to use the template as it was at its deletion, with the word lists that still exist.',
  fields: {
    name: Name,
    domain_dictionary_ids: LinkedIds('Dictionaries whose terms are expanded'),
    blacklist_ids: LinkedIds('Blacklists whose words are filtered out'),
    whitelist_ids: LinkedIds('Whitelists whose words are kept'),
    translation_language_ids: Ids('Languages to translate into'),
    voice_over_language_ids: Ids('Languages to make voice overs in'),
    enabled_ocr: Type.Optional(Type.Boolean({ default: false, description: 'Read text in the picture' })),
    voice_over_config: Type.Optional(VoiceOverConfig),
  },
  references: {
    domain_dictionary_ids: mirrored(targets.dictionary, 'template_id', 'one'),
    blacklist_ids: mirrored(targets.blacklist, 'template_id', 'one'),
    whitelist_ids: mirrored(targets.whitelist, 'template_id', 'one'),
    translation_language_ids: targets.language,
    voice_over_language_ids: targets.language,
  },
  example: {
    name: 'News in English',
    domain_dictionary_ids: [exampleIds.dictionary],
    translation_language_ids: [exampleIds.language],
    enabled_ocr: true,
    voice_over_config: { clone_voice: false, mute_original_voice: true },
  },
});
