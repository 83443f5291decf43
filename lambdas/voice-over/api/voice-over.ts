import * as contract from '../../../build/contract/voice-over.js';
import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import { startJob } from '../../../platform/admission/start-job.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { acceptedJob, followedJob, jobsOfAsset } from '../../../platform/kernel/job-replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { jobStartIn } from '../../../platform/runtime/admission-queue.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { asJobId, type TenantId } from '../../../shared/ids.ts';
import { queued, queuedLanguages } from '../../../shared/jobs.ts';
import { InvalidState } from '../../../shared/problems.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { requireLanguages, requireTranscribed } from '../../translation/actions/requirements.ts';
import { estimateVoiceOver } from '../actions/estimate-voice-over.ts';
import {
  requireCloning,
  requireMixable,
  requireMuxable,
  requireSpeakable,
  requireTranslations,
  withoutSpoken,
} from '../actions/requirements.ts';
import { dubServices } from '../actions/voice-over-step.ts';
import { configOf, type VoiceOverJob, type VoiceOverOwn } from '../rules/voice-over-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  const jobs = new Jobs<'voice_over', VoiceOverOwn>(table, tenant, 'voice_over');
  return { ...jobStartIn(table, tenant), ...dubServices(tenant, table), jobs };
};

export const handler = resource(contract, services, {
  createVoiceOverJob: async ({ params, body, now, newResourceId, limits }, services) => {
    const { assets, jobs, transcriptions } = services;
    const asset = requireReady(await assets.get(params.asset_id));
    requireMixable(asset);
    const { asset_id } = asset;
    await requireLanguages(body.language_ids ?? [], services);
    const template = await findTemplate(asset.template_id, services);
    const heard = await requireTranscribed(asset_id, services);
    const language_ids = body.language_ids?.length
      ? body.language_ids
      : withoutSpoken(template?.voice_over_language_ids ?? [], heard);
    if (language_ids.length === 0) {
      throw new InvalidState(
        'The asset has no template with voice over languages. Name the languages in the request.',
      );
    }
    const config = configOf(template, body.voice_over_config);
    requireCloning(config);
    requireSpeakable(language_ids, heard, config);
    requireTranslations(asset_id, language_ids, await transcriptions.list(asset_id));
    if (body.mux) requireMuxable(asset);
    const { demands, ...held } = await demandsIfLimited(limits, ['spoken_characters', 'cost_microusd'], () =>
      estimateVoiceOver(asset_id, language_ids, config, services),
    );
    const job: VoiceOverJob = {
      ...queued(asJobId(newResourceId), now),
      type: 'voice_over',
      asset_id,
      items: queuedLanguages(language_ids),
      machine: 'VoiceOver',
      input: { asset_id, kind: 'voice_over' },
      own: { language_ids, config, mux: body.mux, ...held },
    };
    return acceptedJob(await startJob({ job, jobs, demands, limits, now }, services));
  },

  listVoiceOverJobs: (input, services) => jobsOfAsset('voice_over', input, services),

  getVoiceOverJob: async ({ params, tenant }, { jobs }) =>
    followedJob(await jobs.get(params.asset_id, params.job_id), tenant),
});
