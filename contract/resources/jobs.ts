/** Jobs that make something new of an asset's languages: translation, voice over, partial retranslation. */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { accepted, Body, Job, Strict, Uuid } from '../kit/schemas.ts';
import { assetParams } from './assets.ts';
import { jobExample } from './uploads.ts';

const jobParams = Strict({ asset_id: Uuid('Asset'), job_id: Uuid('Job') });
const french = '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90';

const LanguageIds = Type.Array(Uuid('Language'), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Target languages',
});

const exampleOf = (type: string) => ({ ...jobExample, type });
const startedJob = (type: string) => ({
  202: { description: 'The job', body: Job, example: exampleOf(type), headers: accepted },
});
const oneJob = (type: string) => ({
  200: {
    description: 'The job',
    body: Job,
    example: exampleOf(type),
    headers: { 'Retry-After': 'Seconds until the next look is worth it, while the job runs' },
  },
});
const refusals = ['resource_not_found', 'invalid_state', 'unknown_reference', 'not_implemented'] as const;

export const createTranslationJob = operation({
  id: 'createTranslationJob',
  method: 'POST',
  path: '/v1/assets/{asset_id}/translation_jobs',
  summary: 'Translate the transcription of an asset',
  scope: 'jobs:write',
  params: assetParams,
  body: Strict({ language_ids: LanguageIds }, { $id: 'TranslationJobInput' }),
  bodyExample: { language_ids: [french] },
  responses: startedJob('translation'),
  errors: refusals,
});

export const getTranslationJob = operation({
  id: 'getTranslationJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/translation_jobs/{job_id}',
  summary: 'Follow a translation job',
  scope: 'jobs:read',
  params: jobParams,
  responses: oneJob('translation'),
  errors: ['resource_not_found'],
});

export const createVoiceOverJob = operation({
  id: 'createVoiceOverJob',
  method: 'POST',
  path: '/v1/assets/{asset_id}/process_voice_over_jobs',
  summary: 'Speak translations of an asset',
  scope: 'jobs:write',
  params: assetParams,
  body: Body(
    {
      language_ids: Type.Optional(
        Type.Array(Uuid('Language'), {
          maxItems: 20,
          uniqueItems: true,
          description: "Ids of languages; all of the template's voice over languages when blank",
        }),
      ),
    },
    { $id: 'VoiceOverJobInput' },
  ),
  bodyExample: { language_ids: [french] },
  bodyOptional: true,
  responses: startedJob('voice_over'),
  errors: refusals,
});

export const listVoiceOverJobs = operation({
  id: 'listVoiceOverJobs',
  method: 'GET',
  path: '/v1/assets/{asset_id}/process_voice_over_jobs',
  summary: "List an asset's voice over jobs, newest first",
  scope: 'jobs:read',
  params: assetParams,
  responses: {
    200: { description: 'The jobs', body: Strict({ data: Type.Array(Job) }, { $id: 'JobList' }) },
  },
  errors: ['resource_not_found'],
});

export const getVoiceOverJob = operation({
  id: 'getVoiceOverJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/process_voice_over_jobs/{job_id}',
  summary: 'Follow a voice over job',
  scope: 'jobs:read',
  params: jobParams,
  responses: oneJob('voice_over'),
  errors: ['resource_not_found'],
});

export const createPartialRetranslationJob = operation({
  id: 'createPartialRetranslationJob',
  method: 'POST',
  path: '/v1/assets/{asset_id}/partial_retranslation_jobs',
  summary: 'Translate some segments again',
  description: 'For segments that were edited after the asset was translated.',
  scope: 'jobs:write',
  params: assetParams,
  body: Strict(
    {
      language_ids: LanguageIds,
      segment_ids: Type.Array(Uuid('Segment'), {
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        description: 'Segments of the transcribed language',
      }),
    },
    { $id: 'PartialRetranslationJobInput' },
  ),
  bodyExample: { language_ids: [french], segment_ids: ['019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44'] },
  responses: startedJob('partial_retranslation'),
  errors: refusals,
});

export const getPartialRetranslationJob = operation({
  id: 'getPartialRetranslationJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}',
  summary: 'Follow a partial retranslation job',
  scope: 'jobs:read',
  params: jobParams,
  responses: oneJob('partial_retranslation'),
  errors: ['resource_not_found'],
});
