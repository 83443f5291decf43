/** Languages, with what the engines of this environment do with each. */
import { hash } from 'node:crypto';
import * as contract from '../../../contract/resources/languages.ts';
import { pageOfAll } from '../../../platform/kernel/pages.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { availability } from '../../../platform/runtime/engines.ts';
import { languageById, languages } from '../../../platform/shared/languages.ts';
import { NotFound } from '../../../platform/shared/problems.ts';
import { featuresOf } from '../rules/language-features.ts';

const shown = languages.map((language) => ({
  ...language,
  features: featuresOf(
    (capability) => availability(capability, { language: language.code }).status === 'available',
  ),
}));
/** The list changes only with the code and the engines: never while a process lives. */
const etag = hash('sha256', JSON.stringify(shown)).slice(0, 16);

export const handler = resource(contract, () => ({}), {
  listLanguages: async ({ query }) => ({
    ...pageOfAll(query, shown, { path: '/v1/languages', filters: ['languages'] }),
    etag,
  }),

  getLanguage: async ({ params }) => {
    const id = languageById(params.language_id)?.language_id;
    const language = shown.find(({ language_id }) => language_id === id);
    if (language === undefined) throw new NotFound('language', params.language_id);
    return ok(language, etag);
  },
});
