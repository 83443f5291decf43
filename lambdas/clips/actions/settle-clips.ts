/** Settles clips at the end of their job: they get their new files with the job's end, or keep their state. */

import type { Write } from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { ClipFiles } from '../records/clip-files.ts';
import type { ClipIds } from '../records/clip-keys.ts';
import type { Clips, RenderOutcome } from '../records/clips.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';

interface Services {
  readonly clips: Clips;
  readonly files: ClipFiles;
}

/** The outcome of a rendered clip, with its current plan. Throws if the file is missing. */
export async function renderedOutcome(
  ids: ClipIds,
  { file }: Pick<RenderedClip, 'file'>,
  { files }: Pick<Services, 'files'>,
): Promise<Extract<RenderOutcome, { readonly render: unknown }>> {
  const render = await files.facts(ids, file);
  if (render === null) throw new Error('The file of a clip is missing');
  // An edit elsewhere in the media can give another plan of the same file.
  const { about } = await files.plan(ids, file);
  return { render: { ...render, ...about } };
}

/** Writes that fail the clips which the job has not finished. */
export async function failClipWrites(
  all: readonly ClipIds[],
  { job_id, error, now }: { readonly job_id: JobId; readonly error: JobFailure; readonly now: Date },
  { clips }: Pick<Services, 'clips'>,
): Promise<Write[]> {
  const writes = await Promise.all(
    all.map(async (ids) => {
      const clip = await clips.find(ids.asset_id, ids.video_clip_id);
      return clip?.pending?.has(job_id) ? clips.endings(ids, job_id, { error }, now) : [];
    }),
  );
  return writes.flat();
}

/**
 * Removes objects of the clip that its current file does not need. While the clip is pending for another job, all
 * objects stay: that job reuses them and removes the rest.
 */
export async function removeUnused(ids: ClipIds, { clips, files }: Services): Promise<void> {
  const clip = await clips.find(ids.asset_id, ids.video_clip_id);
  if (clip === null) return files.removeOthers(ids, null);
  if ((clip.pending?.size ?? 0) > 0) return;
  await files.removeOthers(ids, clip.render?.file ?? null);
}

/**
 * Removes the branding copies of a failed clip, unless another job needs them. Rendered pieces stay for the
 * next job.
 */
export async function removeMaterials(ids: ClipIds, { clips, files }: Services): Promise<void> {
  const clip = await clips.find(ids.asset_id, ids.video_clip_id);
  if ((clip?.pending?.size ?? 0) === 0) await files.removeMaterials(ids);
}

/** Takes the clip from the job, and removes what no other job needs. */
export async function releaseClip(ids: ClipIds, jobId: JobId, services: Services): Promise<void> {
  await services.clips.release(ids, jobId).catch(noneFound);
  await removeUnused(ids, services);
}
