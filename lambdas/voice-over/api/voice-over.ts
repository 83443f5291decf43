/** Voice over: translations, spoken. */
import * as contract from '../../../contract/resources/voice-over.ts';
import { AllJobs, Jobs } from '../../../platform/jobs/records.ts';
import { jobsPage } from '../../../platform/kernel/job-pages.ts';
import { followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { StoredAsset } from '../../../platform/shared/assets.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import { InvalidState, NotImplemented } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { configurationKey } from '../../../platform/store/keys.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/ready.ts';
import { transcriptionsOf } from '../../transcripts/records/transcriptions.ts';
import { requireLanguages, requireTranscribed } from '../../translation/actions/requirements.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    table,
    tenant,
    all: new AllJobs(table, tenant),
    assets: new Assets(table, tenant),
    transcriptions: { list: (assetId: AssetId) => transcriptionsOf(table, tenant, assetId) },
    voiceOvers: new Jobs(table, tenant, 'voice_over'),
  };
};

type Services = ReturnType<typeof services>;

export const handler = resource(contract, services, {
  createVoiceOverJob: async ({ params, body }, services) => {
    const asset = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids ?? [], services);
    const languages = body.language_ids?.length
      ? body.language_ids
      : await templateLanguages(asset, services);
    if (languages.length === 0) {
      throw new InvalidState('The asset has no template with voice over languages: name them.');
    }
    await requireTranscribed(asset.asset_id, services);
    throw new NotImplemented(contract.createVoiceOverJob);
  },

  listVoiceOverJobs: async ({ params: { asset_id }, query }, { assets, all }) => {
    await assets.get(asset_id);
    const path = `/v1/assets/${asset_id}/process_voice_over_jobs`;
    return jobsPage<'voice_over'>(query, path, { asset_id, type: 'voice_over' }, all);
  },

  getVoiceOverJob: async ({ params }, { voiceOvers }) =>
    followed(jobView(await voiceOvers.get(params.asset_id, params.job_id))),
});

async function templateLanguages(
  { template_id }: StoredAsset,
  { table, tenant }: Services,
): Promise<string[]> {
  if (template_id === null) return [];
  const key = configurationKey(tenant, 'templates', template_id);
  const template = await table.get<{ voice_over_language_ids?: string[] | null }>(key);
  return template?.voice_over_language_ids ?? [];
}
