/** Translates assets, and translates some of their segments again. */
import * as contract from '../../../build/contract/translation.js';
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
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { asJobId } from '../../../shared/ids.ts';
import { type JobViewOf, jobView } from '../../../shared/jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { estimateTranslation } from '../actions/estimate-translation.ts';
import {
  requireLanguages,
  requireReachable,
  requireSegments,
  requireTranscribed,
  requireTranslated,
} from '../actions/requirements.ts';
import { translationJobs } from '../actions/translation-step.ts';
import { newTranslationJob, type TranslationJob, type TranslationKind } from '../rules/translation-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return {
    ...jobStartIn(table, tenant),
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
  };
};

const translationMeters = ['translated_characters', 'cost_microusd'] as const;

export const handler = resource(contract, services, {
  createTranslationJob: async ({ params, body, now, newResourceId, limits }, services) => {
    const { asset_id } = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids, services);
    const source = await requireTranscribed(asset_id, services);
    requireReachable(body.language_ids, source);
    const own = { language_ids: body.language_ids, segment_ids: null };
    const { demands, ...held } = await demandsIfLimited(limits, translationMeters, () =>
      estimateTranslation(source, own, services),
    );
    const job = newTranslationJob('translation', asJobId(newResourceId), asset_id, { ...own, ...held }, now);
    const recorded = await startJob(
      { job, jobs: jobsOf('translation', services), demands, limits, now },
      services,
    );
    return acceptedJob<'translation'>(jobView(recorded));
  },

  getTranslationJob: async ({ params, tenant }, services) =>
    followed(await followedView(await look('translation', params, tenant, services), tenant)),

  listTranslationJobs: async ({ params: { asset_id }, query }, { assets, all }) => {
    await assets.get(asset_id);
    const path = `/v1/assets/${asset_id}/translation_jobs`;
    return jobsPage<'translation'>(query, path, { asset_id, type: 'translation' }, all);
  },

  createPartialRetranslationJob: async ({ params, body, now, newResourceId, limits }, services) => {
    const { asset_id } = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids, services);
    const source = await requireTranscribed(asset_id, services);
    requireReachable(body.language_ids, source);
    await requireTranslated(asset_id, body.language_ids, services);
    await requireSegments(asset_id, body.segment_ids, body.language_ids, services);
    const { language_ids, segment_ids } = body;
    const own = { language_ids, segment_ids };
    const { demands, ...held } = await demandsIfLimited(limits, translationMeters, () =>
      estimateTranslation(source, own, services),
    );
    const job = newTranslationJob(
      'partial_retranslation',
      asJobId(newResourceId),
      asset_id,
      { ...own, ...held },
      now,
    );
    const recorded = await startJob(
      { job, jobs: jobsOf('partial_retranslation', services), demands, limits, now },
      services,
    );
    return acceptedJob<'partial_retranslation'>(retranslationView(recorded));
  },

  getPartialRetranslationJob: async ({ params, tenant }, services) =>
    followed(
      (await followedView(
        await look('partial_retranslation', params, tenant, services),
        tenant,
      )) as unknown as Retranslation,
    ),

  listPartialRetranslationJobs: async ({ params: { asset_id }, query }, { assets, all }) => {
    await assets.get(asset_id);
    const path = `/v1/assets/${asset_id}/partial_retranslation_jobs`;
    const kind = { asset_id, type: 'partial_retranslation' } as const;
    return jobsPage<'partial_retranslation'>(query, path, kind, all);
  },
});

const jobsOf = (
  kind: TranslationKind,
  { tenant, table }: Pick<ReturnType<typeof services>, 'tenant' | 'table'>,
) => translationJobs(tenant, kind, table);

/** Reads a job. If the request crashed after it had recorded the job, the job is started now. */
async function look(
  kind: TranslationKind,
  { asset_id, job_id }: { readonly asset_id: AssetId; readonly job_id: JobId },
  tenant: TenantId,
  { table }: Pick<ReturnType<typeof services>, 'table'>,
): Promise<TranslationJob> {
  const job = await translationJobs(tenant, kind, table).get(asset_id, job_id);
  await startOrEnqueue(tenant, job, admissionQueue());
  return job;
}

type Retranslation = JobViewOf<'partial_retranslation'>;

const retranslationView = (job: TranslationJob) => jobView(job) as unknown as Retranslation;
