/** Languages, and the features that this environment's engines offer for each. */
import { hash } from 'node:crypto';
import * as contract from '../../../build/contract/languages.js';
import type { Settings } from '../../../engines/selection.ts';
import { ok, pageOfAll } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { availability, type Capability } from '../../../platform/runtime/engines.ts';
import { settings } from '../../../platform/runtime/environment.ts';
import { type Language, type LanguageFeature, languageById, languages } from '../../../shared/languages.ts';
import { NotFound } from '../../../shared/problems.ts';

const features: readonly [LanguageFeature, Capability][] = [
  ['transcription', 'transcription'],
  ['translation', 'translation'],
  ['voice_over', 'speech'],
];

interface Shown {
  readonly languages: readonly (Language & { readonly features: readonly LanguageFeature[] })[];
  readonly etag: string;
}

/** Cached lists. The list for a settings object is computed only once. */
const shownWith = new WeakMap<Settings, Shown>();

function shownNow(): Shown {
  const current = settings();
  const known = shownWith.get(current) ?? show();
  shownWith.set(current, known);
  return known;
}

function show(): Shown {
  const shown = languages.map((language) => {
    const isOffered = ([, capability]: [LanguageFeature, Capability]) =>
      availability(capability, { language: language.code }).status === 'available';
    return { ...language, features: features.filter(isOffered).map(([feature]) => feature) };
  });
  // The list changes only with the code and the engines.
  return { languages: shown, etag: hash('sha256', JSON.stringify(shown)).slice(0, 16) };
}

export const handler = resource(contract, () => ({}), {
  listLanguages: async ({ query }) => {
    const { languages: shown, etag } = shownNow();
    return { ...pageOfAll(query, shown, { path: '/v1/languages', filters: ['languages'] }), etag };
  },

  getLanguage: async ({ params }) => {
    const id = languageById(params.language_id)?.language_id;
    const { languages: shown, etag } = shownNow();
    const language = shown.find(({ language_id }) => language_id === id);
    if (language === undefined) throw new NotFound('language', params.language_id);
    return ok(language, etag);
  },
});
