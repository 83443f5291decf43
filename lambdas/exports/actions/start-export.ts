/** Records and starts an export. */
import type { ReservedParts } from '../../../platform/admission/demand.ts';
import { type JobStart, startJob } from '../../../platform/admission/start-job.ts';
import type { Configuration, Stored } from '../../../platform/records/configuration.ts';
import { asJobId } from '../../../shared/ids.ts';
import type { Limits } from '../../../shared/limits.ts';
import { InvalidState, noneFound, UnknownReference } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { type ExportJob, type ExportSubject, newExportJob } from '../rules/export-job.ts';
import { type Exported, exportPath, MAX_PATH_BYTES } from '../rules/export-path.ts';
import { requireComplete } from '../rules/external-storages.ts';
import { exportJobs } from './export-step.ts';

export const storagePlace = { type: 'external_storages', kind: 'external storage' };

export interface ExportRequest {
  readonly external_storage_id: string;
  readonly overwrite?: boolean | undefined;
}

export interface ExportCaller {
  readonly tenant: TenantId;
  readonly now: Date;
  readonly limits: Limits;
  readonly newResourceId: string;
}

/** The storage of a request. Throws if it does not exist or is incomplete. */
export async function requireStorage(id: string, storages: Configuration): Promise<Stored> {
  const storage = await storages.get(storagePlace, id).catch(noneFound);
  if (storage === null)
    throw new UnknownReference([{ pointer: '/external_storage_id', ...storagePlace, id }]);
  requireComplete(storage);
  return storage;
}

export interface NewExport {
  readonly subject: ExportSubject;
  readonly exported: Exported & Pick<ExportJob, 'asset_id'>;
  readonly request: ExportRequest;
  readonly storage: Stored;
  /** The input of its execution beside its ids. */
  readonly input?: Readonly<Record<string, string>> | undefined;
  /** What the export reserves to render first. */
  readonly rendering?: ReservedParts | undefined;
}

/** Records an export and starts or queues it, once however often a request asks for its id. Throws as `startJob` does. */
export async function startExport(
  { subject, exported, request, storage, input = {}, rendering = { demands: [] } }: NewExport,
  { tenant, now, limits, newResourceId }: ExportCaller,
  services: JobStart,
): Promise<ExportJob> {
  const { external_storage_id, overwrite = false } = request;
  const { demands, ...held } = rendering;
  const path = pathOf(storage, exported);
  const { type, destination } = storage;
  const to = { type: String(type), destination: (destination ?? {}) as Record<string, string> };
  const own = { overwrite, ...to, ...held };
  const { asset_id } = exported;
  const job = newExportJob(
    asJobId(newResourceId),
    asset_id,
    { ...subject, external_storage_id, path },
    own,
    now,
    input,
  );
  return startJob({ job, jobs: exportJobs(tenant, services.table), demands, limits, now }, services);
}

function pathOf({ export_path }: Stored, exported: Exported): string {
  const path = exportPath((export_path ?? null) as string | null, exported);
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_PATH_BYTES) return path;
  throw new InvalidState(
    `The path has ${bytes} bytes; the maximum is ${MAX_PATH_BYTES}. Shorten \`export_path\` of the storage, or remove {asset_external_id} from it.`,
  );
}
