import * as contract from '../../../build/contract/translation.js';
import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import { startJob } from '../../../platform/admission/start-job.ts';
import { acceptedJob, followedJob, jobsOfAsset } from '../../../platform/kernel/job-replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { jobStartIn } from '../../../platform/runtime/admission-queue.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { type AssetId, asJobId, type JobId, type TenantId } from '../../../shared/ids.ts';
import { queued, queuedLanguages, type StoredJob } from '../../../shared/jobs.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { estimateTranslation } from '../actions/estimate-translation.ts';
import {
  requireLanguages,
  requireReachable,
  requireSegments,
  requireTranscribed,
  requireTranslated,
} from '../actions/requirements.ts';
import { translationJobs, translationServices } from '../actions/translation-services.ts';
import type { TranslationJob, TranslationKind } from '../rules/translation-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return { ...jobStartIn(table, tenant), ...translationServices(tenant, table) };
};

type Services = ReturnType<typeof services>;

const translationMeters = ['translated_characters', 'cost_microusd'] as const;

interface Asked extends Caller {
  readonly params: { readonly asset_id: AssetId };
  readonly body: { readonly language_ids: readonly string[]; readonly segment_ids?: readonly string[] };
}

interface Followed {
  readonly params: { readonly asset_id: AssetId; readonly job_id: JobId };
  readonly tenant: TenantId;
}

/** The handlers of one kind of job. A retranslation has `segment_ids`. */
const handlersOf = <Kind extends TranslationKind>(kind: Kind) => ({
  create: async ({ params, body, now, newResourceId, limits }: Asked, services: Services) => {
    const { asset_id } = requireReady(await services.assets.get(params.asset_id));
    const { language_ids, segment_ids = null } = body;
    await requireLanguages(language_ids, services);
    const source = await requireTranscribed(asset_id, services);
    requireReachable(language_ids, source);
    if (segment_ids !== null) {
      await requireTranslated(asset_id, language_ids, services);
      await requireSegments(asset_id, segment_ids, language_ids, services);
    }
    const asked = { language_ids, segment_ids };
    const { demands, ...held } = await demandsIfLimited(limits, translationMeters, () =>
      estimateTranslation(source, asked, services),
    );
    const job: TranslationJob = {
      ...queued(asJobId(newResourceId), now),
      type: kind as 'translation',
      asset_id,
      items: queuedLanguages(language_ids),
      machine: 'Translation',
      input: { asset_id, kind },
      own: { ...asked, ...held },
    };
    const jobs = translationJobs(services.tenant, kind, services.table);
    const recorded = await startJob({ job, jobs, demands, limits, now }, services);
    return acceptedJob(recorded as StoredJob as StoredJob<Kind>);
  },

  get: async ({ params, tenant }: Followed, { table }: Services) => {
    const job = await translationJobs(tenant, kind, table).get(params.asset_id, params.job_id);
    return followedJob(job as StoredJob as StoredJob<Kind>, tenant);
  },

  list: (input: Parameters<typeof jobsOfAsset>[1], services: Services) => jobsOfAsset(kind, input, services),
});

const translation = handlersOf('translation');
const retranslation = handlersOf('partial_retranslation');

export const handler = resource(contract, services, {
  createTranslationJob: translation.create,
  getTranslationJob: translation.get,
  listTranslationJobs: translation.list,
  createPartialRetranslationJob: retranslation.create,
  getPartialRetranslationJob: retranslation.get,
  listPartialRetranslationJobs: retranslation.list,
});
