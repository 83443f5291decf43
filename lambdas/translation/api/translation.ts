/** Translation and partial retranslation. */
import * as contract from '../../../contract/resources/translation.ts';
import { AllJobs, Jobs } from '../../../platform/jobs/records.ts';
import { jobsPage } from '../../../platform/kernel/job-pages.ts';
import { followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import { NotImplemented } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/ready.ts';
import { Transcriptions } from '../../transcripts/records/transcriptions.ts';
import {
  requireLanguages,
  requireSegments,
  requireTranscribed,
  requireTranslated,
} from '../actions/requirements.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    table,
    tenant,
    all: new AllJobs(table, tenant),
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
    translations: new Jobs(table, tenant, 'translation'),
    retranslations: new Jobs(table, tenant, 'partial_retranslation'),
  };
};

export const handler = resource(contract, services, {
  createTranslationJob: async ({ params, body }, services) => {
    const { asset_id } = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids, services);
    await requireTranscribed(asset_id, services);
    throw new NotImplemented(contract.createTranslationJob);
  },

  getTranslationJob: async ({ params }, { translations }) =>
    followed(jobView(await translations.get(params.asset_id, params.job_id))),

  listTranslationJobs: async ({ params: { asset_id }, query }, { assets, all }) => {
    await assets.get(asset_id);
    const path = `/v1/assets/${asset_id}/translation_jobs`;
    return jobsPage<'translation'>(query, path, { asset_id, type: 'translation' }, all);
  },

  createPartialRetranslationJob: async ({ params, body }, services) => {
    const { asset_id } = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids, services);
    await requireTranslated(asset_id, body.language_ids, services);
    await requireSegments(asset_id, body.segment_ids, services);
    throw new NotImplemented(contract.createPartialRetranslationJob);
  },

  getPartialRetranslationJob: async ({ params }, { retranslations }) =>
    followed(jobView(await retranslations.get(params.asset_id, params.job_id))),

  listPartialRetranslationJobs: async ({ params: { asset_id }, query }, { assets, all }) => {
    await assets.get(asset_id);
    const path = `/v1/assets/${asset_id}/partial_retranslation_jobs`;
    const kind = { asset_id, type: 'partial_retranslation' } as const;
    return jobsPage<'partial_retranslation'>(query, path, kind, all);
  },
});
