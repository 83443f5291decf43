import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import { type JobStart, startJob } from '../../../platform/admission/start-job.ts';
import type { Jobs } from '../../../platform/jobs/job-records.ts';
import type { Caller } from '../../../platform/kernel/resource.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { asJobId } from '../../../shared/ids.ts';
import { queued, queuedItem } from '../../../shared/jobs.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import type { Clips } from '../records/clips.ts';
import { requireRendered } from '../rules/clips.ts';
import type { ClipsJob, ClipsOwn } from '../rules/clips-job.ts';
import { estimateRendering } from './estimate-rendering.ts';
import { clipAddress, type ShowServices } from './show-clips.ts';

/** The download URLs of clips. Throws invalid_state if one of them is not rendered. */
export async function clipDownloads(
  asset: StoredAsset,
  ids: readonly string[],
  now: Date,
  services: ShowServices & { readonly clips: Clips },
) {
  const clips = await services.clips.getMany(asset.asset_id, ids, '/video_ids');
  const rendered = clips.map((clip) => ({ clip, render: requireRendered(clip) }));
  return Promise.all(
    rendered.map(async (one) => ({
      video_clip_id: one.clip.video_clip_id,
      ...(await clipAddress(one, asset, now, services)),
    })),
  );
}

/** Starts a job that renders the clips. Throws invalid_state if the asset is not ready, or an error of `startJob`. */
export async function startDownload(
  asset: StoredAsset,
  ids: readonly string[],
  { now, newResourceId, limits }: Pick<Caller, 'now' | 'newResourceId' | 'limits'>,
  services: JobStart & { readonly clips: Clips; readonly jobs: Jobs<'clips', ClipsOwn> },
): Promise<ClipsJob> {
  const { asset_id } = requireReady(asset);
  const clips = await services.clips.getMany(asset_id, ids, '/video_ids');
  const { demands, ...held } = await demandsIfLimited(limits, ['rendered_ms'], () =>
    estimateRendering(clips, asset, services),
  );
  const job: ClipsJob = {
    ...queued(asJobId(newResourceId), now),
    type: 'clips',
    asset_id,
    items: ids.map((video_clip_id) => ({ video_clip_id, ...queuedItem })),
    machine: 'Clips',
    input: { asset_id, kind: 'clips' },
    own: { video_clip_ids: ids, ...held },
  };
  return startJob({ job, jobs: services.jobs, demands, limits, now }, services);
}
