/** Services of the steps that check branding files, and the removal of objects. */
import type { TenantInput } from '../../../platform/kernel/step.ts';
import { brandingKey, brandingPrefix } from '../../../platform/objects/media-objects.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import { configurationKey, present } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import { asJobId, type JobId, type TenantId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import { BrandingFiles } from '../records/branding-files.ts';
import type { FileType } from '../rules/branding-files.ts';

export interface BrandingUploadInput extends TenantInput {
  readonly type: FileType;
  readonly file_id: string;
  readonly job_id: JobId;
}

/** @param tableOf the core table, or the publishing table for a step that publishes events */
export const brandingServices = (
  tenant: TenantId,
  type: FileType,
  tableOf: (tenant: TenantId) => TenantTable,
) => {
  const table = tableOf(tenant);
  return {
    files: new BrandingFiles(table, tenant, type),
    objects: mediaObjects(tenant),
    usage: usageOf(table, tenant),
  };
};

export type BrandingServices = ReturnType<typeof brandingServices>;

/** Meters the stored bytes of the file. Refused while the file is being deleted. */
export const recordStorage = (
  { type, file_id, job_id }: BrandingUploadInput,
  {
    tenant,
    bytes,
    now,
    usage,
  }: { readonly tenant: TenantId; readonly bytes: number; readonly now: Date; readonly usage: Usage },
): Promise<void> =>
  usage.recordStored(file_id, job_id, {
    bytes,
    now,
    stays: {
      check: configurationKey(tenant, type, file_id),
      condition: present,
    },
  });

/** Removes the objects of a failed upload. An earlier ready file stays. */
export async function removeUpload(
  input: BrandingUploadInput,
  tenant: TenantId,
  now: Date,
  { files, objects, usage }: BrandingServices,
): Promise<void> {
  const { type, file_id, job_id } = input;
  const found = await files.get(file_id).catch(noneFound);
  if (found !== null && found.upload_job_id !== job_id) return;
  if (found?.upload_id) await objects.abortUpload(brandingKey(tenant, type, file_id), found.upload_id);
  const kept = found?.file?.key;
  await objects.deleteOthers(brandingPrefix(tenant, type, file_id), new Set(kept ? [kept] : []));
  if (kept === undefined) return usage.recordRemoved(file_id, now);
  const bytes = (await objects.size(kept)) ?? 0;
  // A use id counts only once, and the job's id may already be used for the stored bytes of the upload.
  await recordStorage({ ...input, job_id: asJobId(`${job_id} removed`) }, { tenant, bytes, now, usage });
}
