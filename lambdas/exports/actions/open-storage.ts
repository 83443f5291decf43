import type { Storage } from '../../../engines/exporting/port.ts';
import type { Secrets } from '../../../engines/secrets/envelope-encryption.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { storageWriter } from '../../../platform/runtime/exporting.ts';
import { log } from '../../../platform/runtime/log.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { JobError, storageAccessDenied, storageNotFound } from '../../../shared/job-errors.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { Sealed } from '../../../shared/secrets.ts';
import { externalIdOf } from '../rules/aws-access.ts';
import type { ExportJob } from '../rules/export-job.ts';
import { isSameDestination, storagePlace } from '../rules/external-storages.ts';

/**
 * The storage of the job with its current credentials. Throws if it was deleted, or its destination changed after the request.
 */
export async function openStorage(job: ExportJob, tenant: TenantId, table: TenantTable): Promise<Storage> {
  const id = defined(job.external_storage_id);
  const stored = await new Configuration(table, tenant).get(storagePlace, id).catch(noneFound);
  if (stored === null) throw storageNotFound('The external storage was deleted.');
  const { type, destination } = job.own;
  if (stored.type !== type || !isSameDestination(stored.destination, destination)) {
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

/** Removes an unfinished multipart upload. If the storage rejects this, the tenant's lifecycle rules must remove it. */
export async function abandonUpload(
  job: ExportJob | null,
  tenant: TenantId,
  table: TenantTable,
): Promise<void> {
  if (!job?.own.resume) return;
  try {
    const storage = await openStorage(job, tenant, table);
    const writer = await storageWriter();
    await writer.abandon(defined(job.path), storage, job.own.resume, AbortSignal.timeout(ABANDON_MS));
  } catch (error) {
    log('warn', 'upload not removed', { job_id: job.job_id, error: String((error as Error).name) });
  }
}

const ABANDON_MS = 30_000;

/** Decrypts the credentials of a storage. Throws storage_access_denied if they were not encrypted for this storage. */
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
    // A JobError means that the key service is busy or unavailable. New credentials would not help.
    if (error instanceof JobError) throw error;
    throw storageAccessDenied('The credentials of the storage cannot be decrypted. Set them again.', error);
  }
}
