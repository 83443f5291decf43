import type { ReservedParts } from '../../../platform/admission/demand.ts';
import { type JobStart, startJob } from '../../../platform/admission/start-job.ts';
import type { Caller } from '../../../platform/kernel/resource.ts';
import type { Configuration, Stored } from '../../../platform/records/configuration.ts';
import { type AssetId, asJobId } from '../../../shared/ids.ts';
import { InvalidState, noneFound, UnknownReference } from '../../../shared/problems.ts';
import type { Assets } from '../../assets/records/assets.ts';
import { type ExportJob, type ExportOwn, type ExportSubject, newExportJob } from '../rules/export-job.ts';
import { type Exported, exportPath, MAX_PATH_BYTES } from '../rules/export-path.ts';
import { requireComplete, storagePlace } from '../rules/external-storages.ts';
import { exportJobs } from './export-step.ts';

export interface ExportRequest extends Pick<Caller, 'now' | 'newResourceId' | 'limits'> {
  readonly external_storage_id: string;
  readonly overwrite?: boolean | undefined;
}

export interface ExportServices extends JobStart {
  readonly assets: Assets;
  readonly storages: Configuration;
}

export interface NewExport {
  readonly asset_id: AssetId;
  readonly subject: ExportSubject;
  /** BCP 47 tag of a transcription. */
  readonly language?: string;
  /** Input of the execution, in addition to the ids. */
  readonly input?: Readonly<Record<string, string>>;
  readonly rendering?: ReservedParts;
  readonly options?: ExportOwn['options'];
}

/**
 * Records an export, and starts or queues its job. A repeat with the same id starts nothing. Throws unknown_reference
 * if the storage does not exist, invalid_state if it is incomplete, and the errors of `startJob`.
 */
export async function startExport(
  { asset_id, subject, language, input = {}, rendering = { demands: [] }, options = {} }: NewExport,
  { external_storage_id, overwrite = false, now, limits, newResourceId }: ExportRequest,
  services: ExportServices,
): Promise<ExportJob> {
  const storage = await requireStorage(external_storage_id, services.storages);
  const { external_id } = await services.assets.get(asset_id);
  const path = pathOf(storage, { asset_id, external_id, ...subject, ...(language && { language }) });
  const { type, destination } = storage;
  const { demands, ...held } = rendering;
  const job = newExportJob({
    jobId: asJobId(newResourceId),
    assetId: asset_id,
    subject: { ...subject, external_storage_id, path },
    own: {
      overwrite,
      options,
      type: String(type),
      destination: (destination ?? {}) as Record<string, string>,
      ...held,
    },
    input,
    now,
  });
  const jobs = exportJobs(services.tenant, services.table);
  return startJob({ job, jobs, demands, limits, now }, services);
}

async function requireStorage(id: string, storages: Configuration): Promise<Stored> {
  const storage = await storages.get(storagePlace, id).catch(noneFound);
  if (storage === null)
    throw new UnknownReference([{ pointer: '/external_storage_id', ...storagePlace, id }]);
  requireComplete(storage);
  return storage;
}

function pathOf({ export_path }: Stored, exported: Exported): string {
  const path = exportPath((export_path ?? null) as string | null, exported);
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_PATH_BYTES) return path;
  throw new InvalidState(
    `The path has ${bytes} bytes; the maximum is ${MAX_PATH_BYTES}. Shorten \`export_path\` of the storage, or remove {asset_external_id} from it.`,
  );
}
