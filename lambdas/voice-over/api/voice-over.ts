/** Voice over jobs. They speak translations. */
import * as contract from '../../../build/contract/voice-over.js';
import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import { startJob, startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { jobsPage } from '../../../platform/kernel/job-pages.ts';
import { acceptedJob, followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { jobStartIn } from '../../../platform/runtime/job-start.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { asJobId } from '../../../shared/ids.ts';
import { jobView } from '../../../shared/jobs.ts';
import { InvalidState } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { requireLanguages, requireTranscribed } from '../../translation/actions/requirements.ts';
import { estimateVoiceOver } from '../actions/estimate-voice-over.ts';
import {
  requireCloning,
  requireMixable,
  requireMuxable,
  requireSpeakable,
  requireTranslations,
  templateOf,
  withoutSpoken,
} from '../actions/requirements.ts';
import { voiceOverJobs } from '../actions/voice-over-step.ts';
import { audioTracksOf } from '../records/audio-tracks.ts';
import { configOf, newVoiceOverJob } from '../rules/voice-over-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return {
    ...jobStartIn(table, tenant),
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
    tracks: audioTracksOf(table, tenant),
  };
};

export const handler = resource(contract, services, {
  createVoiceOverJob: async ({ params, body, tenant, now, newResourceId, limits }, services) => {
    const { table, assets, transcriptions } = services;
    const asset = requireReady(await assets.get(params.asset_id));
    requireMixable(asset);
    const { asset_id } = asset;
    await requireLanguages(body.language_ids ?? [], services);
    const template = await templateOf(asset, table, tenant);
    const heard = await requireTranscribed(asset_id, services);
    const language_ids = body.language_ids?.length
      ? body.language_ids
      : withoutSpoken(template.voice_over_language_ids ?? [], heard);
    if (language_ids.length === 0) {
      throw new InvalidState(
        'The asset has no template with voice over languages. Name the languages in the request.',
      );
    }
    const config = configOf(template.voice_over_config, body.voice_over_config);
    requireCloning(config);
    requireSpeakable(language_ids, heard, config);
    requireTranslations(asset_id, language_ids, await transcriptions.list(asset_id));
    if (body.mux) requireMuxable(asset);
    const { demands, ...held } = await demandsIfLimited(limits, ['spoken_characters', 'cost_microusd'], () =>
      estimateVoiceOver(asset_id, language_ids, config, services),
    );
    const own = { language_ids, config, mux: body.mux, ...held };
    const job = newVoiceOverJob(asJobId(newResourceId), asset_id, own, now);
    const recorded = await startJob(
      { job, jobs: voiceOverJobs(tenant, table), demands, limits, now },
      services,
    );
    return acceptedJob<'voice_over'>(jobView(recorded));
  },

  listVoiceOverJobs: async ({ params: { asset_id }, query }, { assets, all }) => {
    await assets.get(asset_id);
    const path = `/v1/assets/${asset_id}/process_voice_over_jobs`;
    return jobsPage<'voice_over'>(query, path, { asset_id, type: 'voice_over' }, all);
  },

  /** Reads a job. If the request crashed after it had recorded the job, the job is started now. */
  getVoiceOverJob: async ({ params, tenant }, { table }) => {
    const job = await voiceOverJobs(tenant, table).get(params.asset_id, params.job_id);
    await startOrEnqueue(tenant, job, admissionQueue());
    return followed(await followedView(job, tenant));
  },
});
