import * as contract from '../../../build/contract/clips.js';
import { acceptedJob, followedJob } from '../../../platform/kernel/job-replies.ts';
import { noContent, ok, pageOfChildren } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { jobStartIn } from '../../../platform/runtime/admission-queue.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { presigner } from '../../../platform/runtime/s3.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { clipServices, clipsJobs } from '../actions/clip-step.ts';
import { createClips } from '../actions/create-clips.ts';
import { currentFraming } from '../actions/current-framing.ts';
import { clipDownloads, startDownload } from '../actions/download-clips.ts';
import { clipEtag, clipViewer } from '../actions/show-clips.ts';
import { requireNotRequested } from '../rules/clips-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return {
    ...jobStartIn(table, tenant),
    ...clipServices(tenant, table),
    addresses: presigner(),
    configuration: new Configuration(table, tenant),
    jobs: clipsJobs(tenant, table),
  };
};

export const handler = resource(contract, services, {
  createVideoClips: async ({ params, body, ...caller }, services) => {
    const asset = await services.assets.get(params.asset_id);
    const data = await createClips(asset, body.video_clips, caller, services);
    const Location = `/v1/assets/${asset.asset_id}/video_clips`;
    return { status: 201, body: { data }, headers: { Location } };
  },

  listVideoClips: async ({ params, query }, services) => {
    const asset = await services.assets.get(params.asset_id);
    const { asset_id } = asset;
    const show = clipViewer(asset, services);
    return pageOfChildren(query, {
      path: `/v1/assets/${asset_id}/video_clips`,
      filters: ['video_clips', asset_id],
      page: async (position, size) => {
        const { items, ...page } = await services.clips.page(asset_id, position, size);
        return { ...page, items: await Promise.all(items.map(show)) };
      },
      show: (clip) => clip,
    });
  },

  getVideoClip: async ({ params }, services) => {
    const clip = await services.clips.get(params.asset_id, params.video_id);
    const view = await clipViewer(await services.assets.get(params.asset_id), services)(clip);
    return ok(view, clipEtag(clip, view));
  },

  getVideoClipFraming: async ({ params }, services) => {
    const clip = await services.clips.get(params.asset_id, params.video_id);
    return ok(await currentFraming(clip, await services.assets.get(params.asset_id), services));
  },

  deleteVideoClip: async ({ params }, { clips, files, jobs }) => {
    const { asset_id, video_id } = params;
    requireNotRequested(video_id, await jobs.list(asset_id));
    await clips.delete(asset_id, video_id);
    await files.removeOthers({ asset_id, video_clip_id: video_id }, null);
    return noContent();
  },

  downloadVideoClips: async ({ params, body, now }, services) => {
    const asset = await services.assets.get(params.asset_id);
    return ok({ data: await clipDownloads(asset, body.video_ids, now, services) });
  },

  downloadVideoClipsAsync: async ({ params, body, ...caller }, services) => {
    const asset = await services.assets.get(params.asset_id);
    return acceptedJob(await startDownload(asset, body.video_ids, caller, services));
  },

  getDownloadJob: async ({ params, tenant }, { jobs }) =>
    followedJob(await jobs.get(params.asset_id, params.job_id), tenant),
});
