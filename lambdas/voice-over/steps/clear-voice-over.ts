/** Removes the files of a canceled voice over job, and objects that a step wrote after the deletion of the asset. */
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { discardAll } from '../actions/clone-voices.ts';
import { removeUnused } from '../actions/save-dubs.ts';
import { type VoiceOverInput, voiceOverEndStep } from '../actions/voice-over-step.ts';

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
  event: { ...sampleJob, kind: 'voice_over' },
});

export const handler = voiceOverEndStep<VoiceOverInput, object>(
  settings,
  coreTable,
  async (input, services) => {
    const { asset_id, job_id } = input;
    const { jobs, files } = services;
    const job = await jobs.find(asset_id, job_id);
    await discardAll(input, files);
    await removeMediaIfDeleted(asset_id, services);
    await files.removeJob(input);
    for (const language_id of job?.own.language_ids ?? [])
      await removeUnused(asset_id, language_id, services);
    await jobs.close(job_id);
    return {};
  },
);
