/** Exports of clips: settles the clip of an export job and opens its file. */

import { Canceled, unlessCanceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { retryOnConflict } from '../../../platform/table/retry-on-conflict.ts';
import type { TenantTable, Write } from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { RangeSource } from '../../../shared/media.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { clipServices } from '../../clips/actions/clip-step.ts';
import {
  failClipWrites,
  releaseClip,
  removeMaterials,
  removeUnused,
  renderedOutcome,
} from '../../clips/actions/settle-clips.ts';
import type { ClipIds } from '../../clips/records/clip-keys.ts';
import type { RenderedClip } from '../../clips/rules/clip-outcomes.ts';
import type { ExportJob } from '../rules/export-job.ts';
import { exportJobs } from './export-step.ts';

/** Attempts to end a rendering that conflicts with other changes of the clip. */
const ATTEMPTS = 8;

const idsOf = ({ asset_id, video_clip_id }: ExportJob): ClipIds | null =>
  video_clip_id === undefined ? null : { asset_id, video_clip_id };

/**
 * Fixes the file that the job exports: the one it rendered, which becomes the clip's file, or the clip's
 * current file. A repeat changes nothing.
 * @param made the clip that the job rendered; null if it rendered none
 */
export async function beginClipExport(
  job: ExportJob,
  made: RenderedClip | null,
  now: Date,
  { tenant, table }: { readonly tenant: TenantId; readonly table: TenantTable },
): Promise<void> {
  const ids = idsOf(job)!;
  const services = clipServices(tenant, table);
  const { clips } = services;
  const clip = await clips.get(ids.asset_id, ids.video_clip_id).catch(whenDeleted);
  const file = unlessCanceled(made?.file ?? clip.render?.file ?? null);
  const isKept = await exportJobs(tenant, table).keep(job.asset_id, job.job_id, {
    ...job.own,
    clip_file: file,
  });
  if (!isKept) throw new Canceled();
  if (made === null) return;
  const end = await renderedOutcome(ids, made, services);
  await retryOnConflict({ kind: 'video clip', id: ids.video_clip_id, attempts: ATTEMPTS }, async () =>
    table.transact(await clips.endings(ids, job.job_id, end, now)),
  );
  await removeUnused(ids, services);
}

/** The file to export; null if the clip was rendered again or deleted. */
export async function clipSource(job: ExportJob, tenant: TenantId): Promise<RangeSource | null> {
  const file = job.own.clip_file ?? null;
  return file === null ? null : clipServices(tenant).files.clip(idsOf(job)!, file);
}

/** Writes that fail the clip if the job has not rendered it yet. */
export async function failExportedClip(
  job: ExportJob | null,
  error: JobFailure,
  now: Date,
  tenant: TenantId,
  table: TenantTable,
): Promise<Write[]> {
  const ids = job && idsOf(job);
  if (!ids) return [];
  return failClipWrites([ids], job!.job_id, error, now, clipServices(tenant, table));
}

/** Removes the branding copies of a failed clip. */
export async function removeClipMaterials(
  job: ExportJob | null,
  tenant: TenantId,
  table: TenantTable,
): Promise<void> {
  const ids = job && idsOf(job);
  if (ids) await removeMaterials(ids, clipServices(tenant, table));
}

/** Removes unfinished pieces of the clip if the job has not rendered it yet. */
export async function releaseExportedClip(
  job: ExportJob | null,
  tenant: TenantId,
  table: TenantTable,
): Promise<void> {
  const ids = job && idsOf(job);
  if (ids) await releaseClip(ids, job!.job_id, clipServices(tenant, table));
}
