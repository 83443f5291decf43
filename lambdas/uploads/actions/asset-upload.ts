/** The upload of an asset's file: its start and its end. */
import { enginesNamed } from '../../../platform/admission/capacity.ts';
import type { Reservations } from '../../../platform/admission/reservations.ts';
import type { Jobs } from '../../../platform/jobs/job-records.ts';
import { type MediaObjects, sourceKey } from '../../../platform/objects/media-objects.ts';
import type { Presigner } from '../../../platform/objects/presigner.ts';
import { keptQuotas } from '../../../platform/runtime/reserve-in-step.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import { acceptsUpload, type StoredAsset } from '../../../shared/assets.ts';
import { type IngestJob, type IngestOwn, newIngestJob } from '../../../shared/ingest-jobs.ts';
import type { Limits } from '../../../shared/limits.ts';
import { MEDIA_LIMITS } from '../../../shared/media.ts';
import { InvalidState } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { engineMeters } from '../../../shared/usage.ts';
import type { Assets } from '../../assets/records/assets.ts';
import type { templatesOf } from '../../settings/records/template-options.ts';
import { requiredEngines } from '../rules/required-engines.ts';
import { type FinishRequest, finishUpload } from './finish-upload.ts';
import { createUploadUrls, openUpload } from './multipart-upload.ts';
import { requireUploadRoom } from './require-upload-room.ts';

/** Meters on which the job reserves quota, once the duration of the media is known. */
const ingestMeters = [...engineMeters, 'cost_microusd'] as const;

interface Services {
  readonly tenant: TenantId;
  readonly assets: Assets;
  readonly objects: MediaObjects;
}

/** Opens the upload, or continues the open one. Returns one upload URL for each part. */
export async function startAssetUpload(
  asset: StoredAsset,
  { parts, now, limits }: { readonly parts: number; readonly now: Date; readonly limits: Limits },
  services: Services & { readonly usage: Usage; readonly addresses: Presigner },
) {
  const { tenant, assets, objects, addresses } = services;
  requireOpen(asset);
  await requireUploadRoom(limits, now, services);
  const key = sourceKey(tenant, asset.asset_id);
  const uploadId = asset.status === 'uploading' ? asset.upload_id : null;
  const begin = (fresh: string) => assets.beginUpload(asset, fresh, now);
  const upload_id = await openUpload({ key, uploadId, begin }, objects);
  return createUploadUrls({ key, upload_id, parts }, addresses, now);
}

function requireOpen({ status, clearing_job_id }: StoredAsset): void {
  if (clearing_job_id) {
    throw new InvalidState(
      'The results of the canceled ingest are still being removed. Try again in a few seconds.',
    );
  }
  if (acceptsUpload(status)) return;
  throw new InvalidState(`The asset is ${status}; uploads are no longer accepted.`);
}

/** Records the ingest job. See `finishUpload`. */
export function finishAssetUpload(
  asset: StoredAsset,
  request: FinishRequest,
  services: Services & {
    readonly reservations: Reservations;
    readonly jobs: Jobs<'ingest', IngestOwn>;
    readonly templates: ReturnType<typeof templatesOf>;
  },
): Promise<IngestJob> {
  const { tenant, assets, jobs, templates } = services;
  const { asset_id, status } = asset;
  const { limits, now } = request;
  const upload = {
    owner_id: asset_id,
    key: sourceKey(tenant, asset_id),
    upload_id: asset.upload_id,
    owner_job_id: asset.ingest_job_id,
    most: MEDIA_LIMITS,
    current: async () => {
      const { ingest_job_id } = await assets.get(asset_id);
      return ingest_job_id === null ? null : jobs.find(asset_id, ingest_job_id);
    },
    newJob: async (jobId: IngestJob['job_id'], own: Pick<IngestOwn, 'upload_id' | 'etags'>) => {
      const engines = enginesNamed(requiredEngines(await templates.find(asset.template_id)));
      return newIngestJob(jobId, asset_id, { ...own, ...keptQuotas(limits, ingestMeters) }, now, engines);
    },
    record: (job: IngestJob) => assets.beginProcessing(asset, job, now),
    details: {
      notStarted: `The asset is ${status}: call start_upload and send the parts first.`,
      finishedOtherwise: `The asset is ${status}: its upload was finished with other parts.`,
    },
  };
  return finishUpload<IngestJob>(upload, request, services);
}
