/** Translation of an asset, whole or in part. */
import Type from 'typebox';
import { JobPageQuery, jobExample, jobFollowed, jobPage, jobStarted } from '../kit/job-answers.ts';
import { PartialRetranslationJob, TranslationJob } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { Strict, Uuid } from '../kit/schemas.ts';
import { assetParams } from './assets.ts';

const translation = jobExample('translation');
const retranslation = jobExample('partial_retranslation');
const jobParams = Strict({ asset_id: Uuid('Asset'), job_id: Uuid('Job') });
const french = '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90';

const LanguageIds = Type.Array(Uuid('Language'), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Target languages',
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
  responses: jobStarted(TranslationJob, translation),
  errors: refusals,
});

export const getTranslationJob = operation({
  id: 'getTranslationJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/translation_jobs/{job_id}',
  summary: 'Follow a translation job',
  scope: 'jobs:read',
  params: jobParams,
  responses: jobFollowed(TranslationJob, translation),
  errors: ['resource_not_found'],
});

export const listTranslationJobs = operation({
  id: 'listTranslationJobs',
  method: 'GET',
  path: '/v1/assets/{asset_id}/translation_jobs',
  summary: "List an asset's translation jobs, newest first",
  scope: 'jobs:read',
  params: assetParams,
  query: JobPageQuery,
  responses: jobPage(TranslationJob, 'TranslationJobPage', translation),
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor'],
  beyondSpec: true,
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
  responses: jobStarted(PartialRetranslationJob, retranslation),
  errors: refusals,
});

export const getPartialRetranslationJob = operation({
  id: 'getPartialRetranslationJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}',
  summary: 'Follow a partial retranslation job',
  scope: 'jobs:read',
  params: jobParams,
  responses: jobFollowed(PartialRetranslationJob, retranslation),
  errors: ['resource_not_found'],
});

export const listPartialRetranslationJobs = operation({
  id: 'listPartialRetranslationJobs',
  method: 'GET',
  path: '/v1/assets/{asset_id}/partial_retranslation_jobs',
  summary: "List an asset's partial retranslation jobs, newest first",
  scope: 'jobs:read',
  params: assetParams,
  query: JobPageQuery,
  responses: jobPage(PartialRetranslationJob, 'PartialRetranslationJobPage', retranslation),
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor'],
  beyondSpec: true,
});
