/** Settles the clips of a job when it ends. A clip gets its new file, or keeps its earlier state. */
import type { Write } from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { ClipIds } from '../records/clip-files.ts';
import type { RenderOutcome } from '../records/clips.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';
import type { ClipServices } from './clip-step.ts';

type Services = Pick<ClipServices, 'clips' | 'files'>;

/** The outcome of a rendered clip, with its current plan. Throws if the file is missing. */
export async function renderedOutcome(
  ids: ClipIds,
  { file }: Pick<RenderedClip, 'file'>,
  { files }: Pick<Services, 'files'>,
): Promise<Extract<RenderOutcome, { readonly render: unknown }>> {
  const render = await files.facts(ids, file);
  if (render === null) throw new Error('The file of a clip is missing');
  // The stored plan can be newer than the file: an edit of another part of the media changes the plan but not the file.
  const { about } = await files.plan(ids, file);
  return { render: { ...render, ...about } };
}

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

/** Removes objects of the clip that its current file does not need. Removes nothing while another job waits for the clip. */
export async function removeUnused(ids: ClipIds, { clips, files }: Services): Promise<void> {
  const clip = await clips.find(ids.asset_id, ids.video_clip_id);
  if (clip === null) return files.removeOthers(ids, null);
  if ((clip.pending?.size ?? 0) > 0) return;
  await files.removeOthers(ids, clip.render?.file ?? null);
}

/** Removes a failed clip's copies of branding files, unless another job needs them. Rendered pieces stay. */
export async function removeMaterials(ids: ClipIds, { clips, files }: Services): Promise<void> {
  const clip = await clips.find(ids.asset_id, ids.video_clip_id);
  if ((clip?.pending?.size ?? 0) === 0) await files.removeMaterials(ids);
}

/** Ends the job's work on the clip without a result, and removes objects that no other job needs. */
export async function releaseClip(ids: ClipIds, jobId: JobId, services: Services): Promise<void> {
  await services.clips.release(ids, jobId).catch(noneFound);
  await removeUnused(ids, services);
}
