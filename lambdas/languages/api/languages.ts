/** Languages, with what the engines of this environment do with each. */
import * as contract from '../../../contract/resources/languages.ts';
import { pageOfAll } from '../../../platform/kernel/pages.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { environment } from '../../../platform/runtime/environment.ts';
import { type Language, languageById, languages } from '../../../platform/shared/languages.ts';
import { NotFound } from '../../../platform/shared/problems.ts';
import { featuresOf } from '../rules/language-features.ts';

const engines = environment.sherpaModels === undefined ? environment.engines : 'local-models';
const shown = (language: Language) => ({ ...language, features: featuresOf(language.code, engines) });
/** The list changes only with the code and the engines. */
const etag = `${languages.length}-${engines}`;

export const handler = resource(contract, () => ({}), {
  listLanguages: async ({ query }) => ({
    ...pageOfAll(query, languages.map(shown), { path: '/v1/languages', filters: ['languages'] }),
    etag,
  }),

  getLanguage: async ({ params }) => {
    const language = languageById(params.language_id);
    if (language === undefined) throw new NotFound('language', params.language_id);
    return ok(shown(language), etag);
  },
});
