/** The upload of an asset's file: its start and its end. */
import type { Capability } from '../../../engines/declarations.ts';
import { enginesNamed } from '../../../platform/admission/capacity.ts';
import type { Reservations } from '../../../platform/admission/reservations.ts';
import type { Jobs } from '../../../platform/jobs/job-records.ts';
import { type MediaObjects, sourceKey } from '../../../platform/objects/media-objects.ts';
import type { Presigner } from '../../../platform/objects/presigner.ts';
import { keptQuotas } from '../../../platform/runtime/reserve-in-step.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import { acceptsUpload, type StoredAsset } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { type IngestJob, type IngestOwn, newIngestJob } from '../../../shared/ingest-jobs.ts';
import { MEDIA_LIMITS } from '../../../shared/media.ts';
import { InvalidState } from '../../../shared/problems.ts';
import { engineMeters, type Limits } from '../../../shared/usage.ts';
import type { Assets } from '../../assets/records/assets.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';
import { type FinishedUpload, type FinishRequest, finishUpload } from './finish-upload.ts';
import { createUploadUrls, openUpload } from './multipart-upload.ts';
import { requireUploadRoom } from './require-upload-room.ts';

/** Meters whose quotas the job reserves when the duration of the media is known. */
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
  const begin = (fresh: string) => assets.beginUpload(asset, { upload_id: fresh, upload_parts: parts }, now);
  const promise = (open: string) => assets.promiseParts(asset, { upload_id: open, upload_parts: parts }, now);
  const upload_id = await openUpload({ key, uploadId, begin, promise }, objects);
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
    readonly table: TenantTable;
  },
): Promise<IngestJob> {
  const { tenant, assets, jobs } = services;
  const { asset_id, status } = asset;
  const { limits, now } = request;
  const upload = {
    owner_id: asset_id,
    key: sourceKey(tenant, asset_id),
    upload_id: asset.upload_id,
    upload_parts: asset.upload_parts,
    owner_job_id: asset.ingest_job_id,
    most: MEDIA_LIMITS,
    current: async () => {
      const { ingest_job_id } = await assets.get(asset_id);
      return ingest_job_id === null ? null : jobs.find(asset_id, ingest_job_id);
    },
    newJob: async (jobId: IngestJob['job_id'], own: FinishedUpload) => {
      const engines = enginesNamed(requiredEngines(await findTemplate(asset.template_id, services)));
      return newIngestJob(jobId, asset_id, {
        upload: { ...own, ...keptQuotas(limits, ingestMeters) },
        now,
        more: engines,
      });
    },
    record: (job: IngestJob) => assets.beginProcessing(asset, job, now),
    details: {
      notStarted: `The asset is ${status}: call start_upload and send the parts first.`,
      finishedOtherwise: `The asset is ${status}: its upload was finished with other parts.`,
    },
  };
  return finishUpload<IngestJob>(upload, request, services);
}

/** Capabilities that every ingest needs if the media has sound or pictures. */
const always: readonly Capability[] = ['transcription', 'sound_events', 'shots', 'faces', 'text_analysis'];

/**
 * Capabilities that an ingest may need. Only the template decides, because the media is not probed yet. A job waits
 * only for the capacity of their engines (platform/admission/capacity.ts).
 */
function requiredEngines(template: TemplateOptions | null): Capability[] {
  const { enabled_ocr, translation_language_ids, voice_over_language_ids } = template ?? {};
  const spoken = (voice_over_language_ids ?? []).length > 0;
  const translated = spoken || (translation_language_ids ?? []).length > 0;
  return [
    ...always,
    ...(enabled_ocr ? (['ocr'] as const) : []),
    ...(translated ? (['translation'] as const) : []),
    ...(spoken ? (['speech'] as const) : []),
  ];
}
