/**
 * Removes the results of a canceled translation job. If the asset was deleted, also removes the objects that a step
 * wrote for it after the deletion.
 */

import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { answersPrefix, takeBack } from '../actions/translate-transcription.ts';
import { type TranslationInput, translationJobs } from '../actions/translation-step.ts';

export const settings = defineStep<TranslationInput>({
  name: 'ClearTranslation',
  description: 'Removes the results of a canceled translation job',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Write', 'Delete'],
  },
  starts: ['DeliverEvent'],
  event: { ...sampleJob, kind: 'translation' },
});

export const handler = step<TranslationInput, object>(
  settings,
  async ({ asset_id, job_id, kind }, { tenant, now, newId }) => {
    const table = publishingTable(tenant);
    const objects = mediaObjects(tenant);
    const transcriptions = new Transcriptions(table, objects, tenant);
    await objects.deleteAll(answersPrefix(tenant, asset_id, job_id));
    await takeBack(job_id, asset_id, { now, newId }, transcriptions);
    await removeMediaIfDeleted(asset_id, tenant, table, objects);
    await translationJobs(tenant, kind, table).close(job_id);
    return {};
  },
);
