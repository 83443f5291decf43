/** Downloads of rendered clips, and the job that renders clips for download. */
import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import { type JobStart, startJob } from '../../../platform/admission/start-job.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { asJobId } from '../../../shared/ids.ts';
import type { Limits } from '../../../shared/limits.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import type { Clips } from '../records/clips.ts';
import { requireRendered } from '../rules/clips.ts';
import { type ClipsJob, newClipsJob } from '../rules/clips-job.ts';
import type { clipsJobs } from './clip-step.ts';
import { clipAddress } from './clip-urls.ts';
import { estimateRendering } from './estimate-rendering.ts';

/** The download URLs of clips. Throws invalid_state if one of them is not rendered. */
export async function clipDownloads(
  asset: StoredAsset,
  ids: readonly string[],
  now: Date,
  services: Parameters<typeof clipAddress>[4] & { readonly clips: Clips },
) {
  const clips = await services.clips.getMany(asset.asset_id, ids, '/video_ids');
  const rendered = clips.map((clip) => ({ clip, render: requireRendered(clip) }));
  return Promise.all(
    rendered.map(async ({ clip, render }) => ({
      video_clip_id: clip.video_clip_id,
      ...(await clipAddress(clip, render, asset, now, services)),
    })),
  );
}

/** Starts a job that renders the clips. Throws invalid_state if the asset is not ready, and as `startJob` does. */
export async function startDownload(
  asset: StoredAsset,
  ids: readonly string[],
  {
    now,
    newResourceId,
    limits,
  }: { readonly now: Date; readonly newResourceId: string; readonly limits: Limits },
  services: JobStart &
    Parameters<typeof estimateRendering>[2] & {
      readonly clips: Clips;
      readonly jobs: ReturnType<typeof clipsJobs>;
    },
): Promise<ClipsJob> {
  const { asset_id } = requireReady(asset);
  const clips = await services.clips.getMany(asset_id, ids, '/video_ids');
  const { demands, ...held } = await demandsIfLimited(limits, ['rendered_ms'], () =>
    estimateRendering(clips, asset, services),
  );
  const own = { video_clip_ids: ids, ...held };
  const job = newClipsJob(asJobId(newResourceId), asset_id, own, now);
  return startJob({ job, jobs: services.jobs, demands, limits, now }, services);
}
