/** Takes the file of a job to its storage. */
import type { Resume, Storage } from '../../../engines/exporting/port.ts';
import type { Secrets } from '../../../engines/secrets/envelope-encryption.ts';
import { log } from '../../../platform/kernel/log.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { storageWriter } from '../../../platform/runtime/exporting.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { JobError, storageAccessDenied, storageNotFound } from '../../../shared/job-errors.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { Sealed } from '../../../shared/secrets.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { externalIdOf } from '../rules/aws-access.ts';
import type { ExportJob } from '../rules/export-job.ts';
import { storagePlace } from './start-export.ts';

/**
 * The storage of the job with its credentials of this moment, so that new ones count for what waits. Throws where it is
 * gone, or leads elsewhere than when the export was asked for.
 */
export async function openStorage(job: ExportJob, tenant: TenantId, table: TenantTable): Promise<Storage> {
  const id = job.external_storage_id!;
  const stored = await new Configuration(table, tenant).get(storagePlace, id).catch(noneFound);
  if (stored === null) throw storageNotFound('The external storage was deleted.');
  const { type, destination } = job.own;
  if (stored.type !== type || !isSame(stored.destination ?? {}, destination)) {
    throw storageNotFound(
      'The external storage leads elsewhere since the export was asked for: create the export again.',
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

/** Removes what is left of an upload in parts; a storage that refuses by now keeps it for as long as it likes. */
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
 * What a storage is logged in with. Throws storage_access_denied where it is not what was sealed for this storage.
 * @param secrets what it was sealed by
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
    // What decrypts them is busy, or cannot be used: new credentials would not help.
    if (error instanceof JobError) throw error;
    throw storageAccessDenied('The credentials of the storage cannot be decrypted. Set them again.', error);
  }
}

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);
const textOf = (value: unknown): string => JSON.stringify(Object.entries(value as object).sort());
