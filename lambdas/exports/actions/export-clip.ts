/** Exports of clips: settles the clip of an export job, and opens the file to export. */
import type { Jobs } from '../../../platform/jobs/job-records.ts';
import { Canceled, unlessCanceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { retryOnConflict } from '../../../platform/table/retry-on-conflict.ts';
import type { RangeSource } from '../../../shared/media.ts';
import type { ClipServices } from '../../clips/actions/clip-step.ts';
import { removeUnused, renderedOutcome } from '../../clips/actions/settle-clips.ts';
import type { ClipIds } from '../../clips/records/clip-files.ts';
import type { RenderedClip } from '../../clips/rules/clip-outcomes.ts';
import type { ExportJob, ExportOwn } from '../rules/export-job.ts';

/** The maximum number of attempts to settle the clip. Other changes of the clip can conflict with an attempt. */
const ATTEMPTS = 8;

/** The clip of an export job; null if there is no job, or the job exports something else. */
export const clipOfExport = (job: ExportJob | null): ClipIds | null =>
  job?.video_clip_id === undefined ? null : { asset_id: job.asset_id, video_clip_id: job.video_clip_id };

/**
 * Chooses and records the file that the job exports. If the job rendered a file, this file becomes the clip's file.
 * Otherwise the job exports the clip's current file. A repeat changes nothing.
 * @param made the clip that the job rendered; null if it rendered none
 */
export async function beginClipExport(
  job: ExportJob,
  made: RenderedClip | null,
  now: Date,
  services: ClipServices & { readonly jobs: Jobs<'export', ExportOwn> },
): Promise<void> {
  const ids = unlessCanceled(clipOfExport(job));
  const { clips, jobs, table } = services;
  const clip = await clips.get(ids.asset_id, ids.video_clip_id).catch(whenDeleted);
  const file = unlessCanceled(made?.file ?? clip.render?.file ?? null);
  if (!(await jobs.keep(job.asset_id, job.job_id, { ...job.own, clip_file: file }))) throw new Canceled();
  if (made === null) return;
  const end = await renderedOutcome(ids, made, services);
  await retryOnConflict({ kind: 'video clip', id: ids.video_clip_id, attempts: ATTEMPTS }, async () =>
    table.transact(await clips.endings(ids, job.job_id, end, now)),
  );
  await removeUnused(ids, services);
}

/** The file to export; null if the clip was rendered again or deleted. */
export async function clipSource(
  job: ExportJob,
  { files }: Pick<ClipServices, 'files'>,
): Promise<RangeSource | null> {
  const { clip_file } = job.own;
  const ids = clipOfExport(job);
  return ids && clip_file ? files.clip(ids, clip_file) : null;
}
