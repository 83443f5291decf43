/** Opens the external storage of a job. */
import type { Resume, Storage } from '../../../engines/exporting/port.ts';
import type { Secrets } from '../../../engines/secrets/envelope-encryption.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { storageWriter } from '../../../platform/runtime/exporting.ts';
import { log } from '../../../platform/runtime/log.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { JobError, storageAccessDenied, storageNotFound } from '../../../shared/job-errors.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { Sealed } from '../../../shared/secrets.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { externalIdOf } from '../rules/aws-access.ts';
import type { ExportJob } from '../rules/export-job.ts';
import { storagePlace } from '../rules/external-storages.ts';

/**
 * The storage of the job with its current credentials, so that waiting jobs use new ones. Throws if the storage
 * was deleted, or its destination changed after the export was requested.
 */
export async function openStorage(job: ExportJob, tenant: TenantId, table: TenantTable): Promise<Storage> {
  const id = job.external_storage_id!;
  const stored = await new Configuration(table, tenant).get(storagePlace, id).catch(noneFound);
  if (stored === null) throw storageNotFound('The external storage was deleted.');
  const { type, destination } = job.own;
  if (stored.type !== type || !isSame(stored.destination ?? {}, destination)) {
    throw storageNotFound(
      'The destination of the external storage changed after the export was requested. Create the export again.',
    );
  }
  const authentication = await openCredentials(stored.authentication as Sealed | null, tenant, id);
  return {
    type: type as Storage['type'],
    destination,
    authentication,
    external_id: externalIdOf(tenant, id),
  };
}

/**
 * Removes an unfinished multipart upload. If the storage rejects this, its own rules decide how long the upload
 * stays.
 */
export async function abandonUpload(
  job: ExportJob | null,
  tenant: TenantId,
  table: TenantTable,
): Promise<void> {
  const resume: Resume | null = job?.own.resume ?? null;
  if (job === null || resume === null) return;
  try {
    const storage = await openStorage(job, tenant, table);
    const writer = await storageWriter();
    await writer.abandon(job.path!, storage, resume, AbortSignal.timeout(ABANDON_MS));
  } catch (error) {
    log('warn', 'upload not removed', { job_id: job.job_id, error: String((error as Error).name) });
  }
}

const ABANDON_MS = 30_000;

/**
 * Decrypts the credentials of a storage. Throws storage_access_denied if they were not sealed for this storage.
 * @param secrets the keys that sealed them
 */
export async function openCredentials(
  sealed: Sealed | null | undefined,
  tenant: TenantId,
  resource: string,
  secrets: Pick<Secrets, 'open'> = tenantSecrets(),
): Promise<Record<string, unknown>> {
  if (!sealed) return {};
  try {
    return await secrets.open<Record<string, unknown>>(sealed, { tenant, resource });
  } catch (error) {
    // The key service is busy or unavailable, so new credentials would not help.
    if (error instanceof JobError) throw error;
    throw storageAccessDenied('The credentials of the storage cannot be decrypted. Set them again.', error);
  }
}

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);
const textOf = (value: unknown): string => JSON.stringify(Object.entries(value as object).sort());
