import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { found, listed, Page, pageParameters, Strict, Uuid } from '../kit/schemas.ts';

export const Language = Strict(
  {
    language_id: Uuid('Language; the same in every environment'),
    code: Type.String({ description: 'BCP 47 tag', examples: ['en', 'es', 'pt-BR'] }),
    name: Type.String({ description: 'English name' }),
    native_name: Type.String(),
    direction: Type.Enum(['ltr', 'rtl']),
    features: Type.Array(Type.Enum(['transcription', 'translation', 'voice_over']), {
      description: 'Features of the engines of this environment for the language',
    }),
  },
  { $id: 'Language' },
);

export const listLanguages = operation({
  route: 'GET /v1/languages',
  summary: 'List languages',
  description:
    'All languages, by English name; `features` lists the features of the engines of this environment. The list changes only with a new release or other engines: cache it by its ETag.',
  scope: null,
  query: pageParameters,
  responses: {
    200: {
      description: 'One page of languages, by English name',
      body: Page(Language, 'LanguagePage'),
      headers: { ...listed, ETag: 'Version of the list' },
    },
  },
});

export const getLanguage = operation({
  route: 'GET /v1/languages/{language_id}',
  summary: 'Get a language',
  description:
    'Its id is the same in every environment. Its `features` depend on the engines of this environment.',
  scope: null,
  responses: found('language', Language),
});
