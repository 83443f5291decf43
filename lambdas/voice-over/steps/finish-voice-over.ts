import { endOfItems } from '../../../platform/jobs/job-failure.ts';
import { TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleDub, sampleJob } from '../../../platform/steps/define-step.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { languageOutcome } from '../../translation/rules/language-outcomes.ts';
import { removeFailed } from '../actions/clone-voices.ts';
import { dubFailure, removeUnused, trackWrites, videoFailure } from '../actions/save-dubs.ts';
import { type VoiceOverInput, voiceOverStep } from '../actions/voice-over-step.ts';
import { type DubEnd, dubItem, isMade } from '../rules/dub-outcomes.ts';

interface FinishInput extends VoiceOverInput {
  readonly ends: readonly DubEnd[];
}

export const settings = defineStep<FinishInput>({
  name: 'FinishVoiceOver',
  description: 'Ends a voice over job with the results of its languages, and creates their audio tracks',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  publishes: true,
  event: { ...sampleJob, kind: 'voice_over', ends: [sampleDub] },
});

export const handler = voiceOverStep<FinishInput, object>(
  settings,
  async ({ asset_id, job_id, ends }, { now, job, jobs, ...services }) => {
    const made = ends.filter(isMade);
    const errors = ends.map(dubFailure);
    const items = ends.map((end, at) => dubItem(end, isMade(end) ? videoFailure(end) : itemAt(errors, at)));
    const outcomes = ends.map(({ language_id }, at) => languageOutcome(language_id, itemAt(errors, at)));
    const audio_track_ids = made.map(({ audio_track_id }) => audio_track_id);
    const end = endOfItems<'voice_over'>(items, { audio_track_ids });
    // One transaction ends the job and creates the tracks. A job that is canceled at the same time therefore leaves no
    // tracks.
    const tracks = async () => [
      await services.assets.voiceOverWrite(asset_id, outcomes, now()),
      ...(await trackWrites(job, made, now(), services)),
    ];
    if (!(await jobs.settle(asset_id, job_id, { now: now(), end, alongside: tracks }).catch(whenDeleted)))
      throw new Canceled();
    for (const { language_id } of ends.filter((one) => !isMade(one)))
      await removeFailed({ asset_id, job_id, language_id }, services.files);
    for (const { language_id } of made) await removeUnused(asset_id, language_id, services);
    return {};
  },
  { tableOf: publishingTable, patienceMs: TO_ITS_END },
);
