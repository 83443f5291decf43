/**
 * Removes the files of a canceled voice over job. The job has no tracks to remove, because only its end makes tracks.
 * If the asset was deleted, also removes the objects that a step wrote for it after the deletion.
 */

import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { discardAll } from '../actions/clone-voices.ts';
import { removeUnused } from '../actions/save-dubs.ts';
import { dubFiles, type VoiceOverInput, voiceOverJobs } from '../actions/voice-over-step.ts';

export const settings = defineStep<VoiceOverInput>({
  name: 'ClearVoiceOver',
  description: 'Removes the files of a canceled voice over job',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query'] },
    admin: true,
    media: ['Read', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  starts: ['DeliverEvent'],
  event: { ...sampleJob, kind: 'voice_over' },
});

export const handler = step<VoiceOverInput, object>(settings, async ({ asset_id, job_id }, { tenant }) => {
  const table = publishingTable(tenant);
  const files = dubFiles(tenant);
  const jobs = voiceOverJobs(tenant, table);
  const job = await jobs.find(asset_id, job_id);
  await discardAll({ asset_id, job_id }, files);
  await removeMediaIfDeleted(asset_id, tenant, table, mediaObjects(tenant));
  await files.removeJob({ asset_id, job_id });
  for (const language_id of job?.own.language_ids ?? [])
    await removeUnused(asset_id, language_id, { tenant, table, files });
  await jobs.close(job_id);
  return {};
});
