/** Removes what a canceled translation job had made. Where the asset was deleted, all that a step still wrote for it meanwhile. */
import { defineStep, sampleJob } from '../../../platform/kernel/define-step.ts';
import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { removedIfGone } from '../../assets/records/remove-deleted-media.ts';
import { Transcriptions } from '../../transcripts/records/transcriptions.ts';
import { type TranslationInput, translationJobs } from '../actions/job.ts';
import { answersPrefix, takeBack } from '../actions/translate.ts';

export const settings = defineStep<TranslationInput>({
  name: 'ClearTranslation',
  description: 'Removes what a canceled translation job had made',
  memory: 512,
  timeout: 300,
  permissions: { tables: { Core: 'write' }, media: ['Read', 'Write', 'Delete'] },
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
    await removedIfGone(asset_id, tenant, table, objects);
    await translationJobs(tenant, kind, table).closed(job_id);
    return {};
  },
);
