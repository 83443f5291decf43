/** Languages, with what the engines of this environment do with each. */
import * as contract from '../../contract/languages.ts';
import { featuresOf } from '../domain/language-features.ts';
import { type Language, languageById, languages } from '../domain/languages.ts';
import { NotFound } from '../domain/problems.ts';
import { resource } from '../kernel/resource.ts';
import { environment } from '../runtime/environment.ts';
import { ok } from './replies.ts';

const engines = environment.sherpaModels === undefined ? environment.engines : 'local-models';
const shown = (language: Language) => ({ ...language, features: featuresOf(language.code, engines) });
/** The list changes only with the code and the engines. */
const etag = `${languages.length}-${engines}`;

export const handler = resource(contract, () => ({}), {
  listLanguages: async () => ok({ data: languages.map(shown) }, etag),

  getLanguage: async ({ params }) => {
    const language = languageById(params.language_id);
    if (language === undefined) throw new NotFound('language', params.language_id);
    return ok(shown(language), etag);
  },
});
