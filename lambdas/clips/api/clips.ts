/** Video clips of an asset, and their downloads. */
import * as contract from '../../../build/contract/clips.js';
import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import { startJob, startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { pageOfChildren } from '../../../platform/kernel/pages.ts';
import { acceptedJob, followed, noContent, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { type Reference, requireReferences } from '../../../platform/records/references.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { jobStartIn } from '../../../platform/runtime/job-start.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { presigner } from '../../../platform/runtime/s3.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { derivedId } from '../../../shared/derived-ids.ts';
import { asJobId } from '../../../shared/ids.ts';
import { jobView } from '../../../shared/jobs.ts';
import { Inconsistent, UnknownReference } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { aspectsOf } from '../../branding/records/branding-variants.ts';
import { clipServices, clipsJobs } from '../actions/clip-step.ts';
import { clipAddress } from '../actions/clip-urls.ts';
import { currentFraming } from '../actions/current-framing.ts';
import { estimateRendering } from '../actions/estimate-rendering.ts';
import { clipEtag, clipViewer } from '../actions/show-clips.ts';
import { brandingFaults } from '../rules/aspects.ts';
import { type GivenClip, newClips, requirePicture, requireRendered, type VideoClip } from '../rules/clips.ts';
import { newClipsJob, requireNotRequested } from '../rules/clips-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return {
    ...jobStartIn(table, tenant),
    ...clipServices(tenant, table),
    addresses: presigner(),
    assets: new Assets(table, tenant),
    configuration: new Configuration(table, tenant),
    jobs: clipsJobs(tenant, table),
  };
};

export const handler = resource(contract, services, {
  createVideoClips: async ({ params, body, tenant, now, newResourceId }, services) => {
    const { table, assets, clips } = services;
    const asset = requirePicture(requireReady(await assets.get(params.asset_id)));
    const fresh = newClips(body.video_clips, asset, now, (at) => derivedId(newResourceId, at));
    await requireReferences(table, tenant, referencesOf(body.video_clips));
    await requireVariants(body.video_clips, asset, services);
    requireSubtitles(fresh, asset.languages);
    const show = clipViewer(asset, services);
    const data = await Promise.all((await clips.create(asset.asset_id, fresh)).map(show));
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
    const asked = await services.clips.getMany(asset.asset_id, body.video_ids, '/video_ids');
    const renders = asked.map((clip) => requireRendered(clip));
    const data = await Promise.all(
      asked.map(async (clip, at) => ({
        video_clip_id: clip.video_clip_id,
        ...(await clipAddress(clip, renders[at]!, asset, now, services)),
      })),
    );
    return ok({ data });
  },

  downloadVideoClipsAsync: async ({ params, body, now, newResourceId, limits }, services) => {
    const asset = requireReady(await services.assets.get(params.asset_id));
    const { asset_id } = asset;
    const asked = await services.clips.getMany(asset_id, body.video_ids, '/video_ids');
    const { demands, ...held } = await demandsIfLimited(limits, ['rendered_ms'], () =>
      estimateRendering(asked, asset, services),
    );
    const own = { video_clip_ids: body.video_ids, ...held };
    const job = newClipsJob(asJobId(newResourceId), asset_id, own, now);
    const recorded = await startJob({ job, jobs: services.jobs, demands, limits, now }, services);
    return acceptedJob<'clips'>(jobView(recorded));
  },

  /** Starts a job that was recorded but not started because its request crashed. */
  getDownloadJob: async ({ params, tenant }, { jobs }) => {
    const job = await jobs.get(params.asset_id, params.job_id);
    await startOrEnqueue(tenant, job, admissionQueue());
    return followed(await followedView(job, tenant));
  },
});

function referencesOf(clips: readonly GivenClip[]): Reference[] {
  return clips.flatMap(({ branding_id, subtitles_language_id }, at) => [
    ...reference(`/video_clips/${at}/branding_id`, 'brandings', 'branding', branding_id),
    ...reference(`/video_clips/${at}/subtitles_language_id`, 'languages', 'language', subtitles_language_id),
  ]);
}

const reference = (pointer: string, type: string, kind: string, id: string | undefined): Reference[] =>
  id === undefined ? [] : [{ pointer, type, kind, id }];

/** Throws validation_failed if a branding has no variant for the aspect ratio of a clip. */
async function requireVariants(
  clips: readonly GivenClip[],
  asset: StoredAsset,
  { configuration }: ReturnType<typeof services>,
): Promise<void> {
  const brandings = [...new Set(clips.flatMap(({ branding_id }) => branding_id ?? []))];
  const aspects = await Promise.all(
    brandings.map(async (id) => [id, await aspectsOf(configuration, id)] as const),
  );
  const faults = brandingFaults(clips, asset, new Map(aspects));
  if (faults.length > 0) throw new Inconsistent(faults);
}

/** Throws unknown_reference if the asset has no transcription in the language of the subtitles. */
function requireSubtitles(clips: readonly VideoClip[], languages: readonly string[]): void {
  const missing = clips.flatMap(({ subtitles_language_id: id }, at) =>
    id === null || languages.includes(id)
      ? []
      : [{ pointer: `/video_clips/${at}/subtitles_language_id`, kind: 'transcription in the language', id }],
  );
  if (missing.length > 0) throw new UnknownReference(missing);
}
