/** What becomes of clips when the job ends that rendered them: their files come into being with it, or they are as they were. */

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

/** The end of a clip whose file was made, of what it is made of now. Throws where that is gone. */
export async function renderedOutcome(
  ids: ClipIds,
  { file }: Pick<RenderedClip, 'file'>,
  { files }: Pick<Services, 'files'>,
): Promise<Extract<RenderOutcome, { readonly render: unknown }>> {
  const render = await files.facts(ids, file);
  if (render === null) throw new Error('The file of a clip is missing');
  // An edit elsewhere in the media gives another plan of the same file.
  const { about } = await files.plan(ids, file);
  return { render: { ...render, ...about } };
}

/** Writes that fail what the job has not brought to an end. */
export async function failClipWrites(
  all: readonly ClipIds[],
  jobId: JobId,
  error: JobFailure,
  now: Date,
  { clips }: Pick<Services, 'clips'>,
): Promise<Write[]> {
  const writes = await Promise.all(
    all.map(async (ids) => {
      const clip = await clips.find(ids.asset_id, ids.video_clip_id);
      return clip?.pending?.has(jobId) ? clips.endings(ids, jobId, { error }, now) : [];
    }),
  );
  return writes.flat();
}

/**
 * Removes what was made of the clip and no file needs that callers get. While another job is to render it, all of it stays: that
 * job finds there what it need not make, and removes the rest when it ends.
 */
export async function removeUnused(ids: ClipIds, { clips, files }: Services): Promise<void> {
  const clip = await clips.find(ids.asset_id, ids.video_clip_id);
  if (clip === null) return files.removeOthers(ids, null);
  if ((clip.pending?.size ?? 0) > 0) return;
  await files.removeOthers(ids, clip.render?.file ?? null);
}

/** Removes what a clip that failed was made of and no other job needs. What was rendered of it is there for the next job. */
export async function removeMaterials(ids: ClipIds, { clips, files }: Services): Promise<void> {
  const clip = await clips.find(ids.asset_id, ids.video_clip_id);
  if ((clip?.pending?.size ?? 0) === 0) await files.removeMaterials(ids);
}

/** Nothing of what the job did for the clip counts, nor stays where no other job needs it. */
export async function releaseClip(ids: ClipIds, jobId: JobId, services: Services): Promise<void> {
  await services.clips.release(ids, jobId).catch(noneFound);
  await removeUnused(ids, services);
}
