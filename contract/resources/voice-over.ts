/** Voice over: spoken translations of an asset. */
import Type from 'typebox';
import { MOST_LANGUAGES } from '../kit/job-kinds.ts';
import { jobSchemas } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import {
  Body,
  defaulted,
  jobExample,
  jobFollowed,
  jobPages,
  jobStarted,
  Strict,
  Uuid,
} from '../kit/schemas.ts';

const voiceOver = jobExample('voice_over');
const french = '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90';
const refusals = ['invalid_state', 'unknown_reference', 'language_unsupported', 'quota_exceeded'] as const;

const VoiceOverChoices = Strict(
  {
    clone_voice: Type.Optional(Type.Boolean({ description: "Speak with the original speaker's voice" })),
    mute_original_voice: Type.Optional(
      Type.Boolean({ description: 'Remove the original voice instead of lowering it' }),
    ),
  },
  {
    $id: 'VoiceOverChoices',
    description: 'Overrides of the `voice_over_config` of the template; absent members keep its values',
  },
);

export const createVoiceOverJob = operation({
  route: 'POST /v1/assets/{asset_id}/process_voice_over_jobs',
  summary: 'Speak translations of an asset',
  description:
    'Answers with a job that has one item per language. Each item makes an audio track, or a new version of the track of the ' +
    'language. A voice of its speaker speaks each segment, fitted to its time. Unchanged segments are reused, ' +
    'so after an edit only changed segments are spoken again. The original sound is lowered, or removed with ' +
    '`mute_original_voice`. If one language fails, the others keep their results. The asset must be ready and ' +
    'translated into each language.',
  scope: 'jobs:write',
  body: Body(
    {
      language_ids: Type.Optional(
        Type.Array(Uuid('Language'), {
          maxItems: MOST_LANGUAGES,
          uniqueItems: true,
          description: 'Ids of languages; by default all voice over languages of the template',
        }),
      ),
      voice_over_config: Type.Optional(VoiceOverChoices),
      mux: defaulted(
        Type.Boolean({
          default: false,
          description:
            'Also make a video with each audio track and the original sound; the picture is copied unchanged',
        }),
      ),
    },
    { $id: 'VoiceOverJobInput' },
  ),
  bodyExample: { language_ids: [french] },
  bodyOptional: true,
  responses: jobStarted(jobSchemas.voiceOver, voiceOver),
  errors: refusals,
});

export const listVoiceOverJobs = operation({
  route: 'GET /v1/assets/{asset_id}/process_voice_over_jobs',
  summary: "List an asset's voice over jobs, newest first",
  description: 'Jobs of every status. `items` of a job has the status of each language.',
  scope: 'jobs:read',
  ...jobPages(jobSchemas.voiceOver, 'VoiceOverJobPage', voiceOver),
});

export const getVoiceOverJob = operation({
  route: 'GET /v1/assets/{asset_id}/process_voice_over_jobs/{job_id}',
  summary: 'Follow a voice over job',
  description:
    'The status is queued, then running, then finally succeeded, partially_succeeded or failed; `items` has the status of each language. ' +
    'Poll again after the seconds in `Retry-After`.',
  scope: 'jobs:read',
  responses: jobFollowed(jobSchemas.voiceOver, voiceOver),
});
