/** Translation of an asset, whole or in part. */
import Type from 'typebox';
import { MOST_LANGUAGES } from '../kit/job-kinds.ts';
import { jobSchemas } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { Body, jobExample, jobFollowed, jobPages, jobStarted, Uuid } from '../kit/schemas.ts';

const translation = jobExample('translation');
const retranslation = jobExample('partial_retranslation');
const french = '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90';

const LanguageIds = Type.Array(Uuid('Language'), {
  minItems: 1,
  maxItems: MOST_LANGUAGES,
  uniqueItems: true,
  description: 'Target languages',
});

const refusals = ['invalid_state', 'unknown_reference', 'language_unsupported', 'quota_exceeded'] as const;

export const createTranslationJob = operation({
  route: 'POST /v1/assets/{asset_id}/translation_jobs',
  summary: 'Translate the transcription of an asset',
  description:
    'Answers with a job that has one item per language. Each item makes a transcription whose segments refer to the ' +
    'original segments and have their times. Sentences are translated as a whole, even across several ' +
    "segments. Numbers, placeholders, and the words of the template's whitelists and dictionaries are not changed. " +
    'If one language fails, the others keep their results. An existing translation gets a new version, ' +
    'which keeps the corrections of people. The asset must be ready and transcribed. The translation is automatic: ' +
    'have a person check it before you publish it.',
  scope: 'jobs:write',
  body: Body({ language_ids: LanguageIds }, { $id: 'TranslationJobInput' }),
  bodyExample: { language_ids: [french] },
  responses: jobStarted(jobSchemas.translation, translation),
  errors: refusals,
});

export const getTranslationJob = operation({
  route: 'GET /v1/assets/{asset_id}/translation_jobs/{job_id}',
  summary: 'Follow a translation job',
  description:
    'The status is queued, then running, then finally succeeded, partially_succeeded or failed; `items` has the status of each language. ' +
    'Poll again after the seconds in `Retry-After`.',
  scope: 'jobs:read',
  responses: jobFollowed(jobSchemas.translation, translation),
});

export const listTranslationJobs = operation({
  route: 'GET /v1/assets/{asset_id}/translation_jobs',
  summary: "List an asset's translation jobs, newest first",
  description: 'Jobs of every status. `items` of a job has the status of each language.',
  scope: 'jobs:read',
  ...jobPages(jobSchemas.translation, 'TranslationJobPage', translation),
  beyondSpec: true,
});

export const createPartialRetranslationJob = operation({
  route: 'POST /v1/assets/{asset_id}/partial_retranslation_jobs',
  summary: 'Translate some segments again',
  description:
    'For segments that were edited after the translation. Their sentences are translated again. The new text replaces ' +
    'the named segments, even if people edited these, and adjacent segments that no person ' +
    'corrected; other segments do not change. If only the times or the speaker of a segment changed, only these are ' +
    'updated. If a segment was deleted, its translation is removed, and segments that replaced it are translated. ' +
    'Segments without a translation (`missing` of the transcription) are translated if they are named.',
  scope: 'jobs:write',
  body: Body(
    {
      language_ids: LanguageIds,
      segment_ids: Type.Array(Uuid('Segment'), {
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        description: 'Segments of the original, deleted ones included if translations still have them',
      }),
    },
    { $id: 'PartialRetranslationJobInput' },
  ),
  bodyExample: { language_ids: [french], segment_ids: ['019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44'] },
  responses: jobStarted(jobSchemas.partialRetranslation, retranslation),
  errors: refusals,
});

export const getPartialRetranslationJob = operation({
  route: 'GET /v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}',
  summary: 'Follow a partial retranslation job',
  description:
    'The status is queued, then running, then finally succeeded, partially_succeeded or failed; `items` has the status of each language. ' +
    'Poll again after the seconds in `Retry-After`.',
  scope: 'jobs:read',
  responses: jobFollowed(jobSchemas.partialRetranslation, retranslation),
});

export const listPartialRetranslationJobs = operation({
  route: 'GET /v1/assets/{asset_id}/partial_retranslation_jobs',
  summary: "List an asset's partial retranslation jobs, newest first",
  description: 'Jobs of every status. `items` of a job has the status of each language.',
  scope: 'jobs:read',
  ...jobPages(jobSchemas.partialRetranslation, 'PartialRetranslationJobPage', retranslation),
  beyondSpec: true,
});
