/** Exports of clips: settles the clip of an export job and opens its file. */

import { Canceled, unlessCanceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { retryOnConflict } from '../../../platform/table/retry-on-conflict.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { RangeSource } from '../../../shared/media.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { clipServices } from '../../clips/actions/clip-step.ts';
import { removeUnused, renderedOutcome } from '../../clips/actions/settle-clips.ts';
import type { ClipIds } from '../../clips/records/clip-keys.ts';
import type { RenderedClip } from '../../clips/rules/clip-outcomes.ts';
import type { ExportJob } from '../rules/export-job.ts';
import { exportJobs } from './export-step.ts';

/** Attempts to end a rendering that conflicts with other changes of the clip. */
const ATTEMPTS = 8;

/** The clip of an export job; null if there is no job, or it exports something else. */
export const clipOfExport = (job: ExportJob | null): ClipIds | null =>
  job?.video_clip_id === undefined ? null : { asset_id: job.asset_id, video_clip_id: job.video_clip_id };

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
  const ids = unlessCanceled(clipOfExport(job));
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
  const { clip_file } = job.own;
  const ids = clipOfExport(job);
  return ids && clip_file ? clipServices(tenant).files.clip(ids, clip_file) : null;
}
