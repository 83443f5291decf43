/** Video clips of an asset, and their downloads. */
import * as contract from '../../../contract/resources/clips.ts';
import { Jobs } from '../../../platform/jobs/records.ts';
import { pageOfChildren } from '../../../platform/kernel/pages.ts';
import { followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { StoredAsset } from '../../../platform/shared/assets.ts';
import { derivedId } from '../../../platform/shared/derived-ids.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import {
  Inconsistent,
  InvalidState,
  NotImplemented,
  UnknownReference,
} from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { shownOf } from '../../../platform/shared/versions.ts';
import { Configuration } from '../../../platform/store/configuration.ts';
import { type Reference, requireReferences } from '../../../platform/store/references.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/ready.ts';
import { aspectsOf } from '../../branding/records/variants.ts';
import { Clips } from '../records/clips.ts';
import { brandingFaults } from '../rules/aspects.ts';
import { type GivenClip, newClips, type VideoClip } from '../rules/clips.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    table,
    assets: new Assets(table, tenant),
    clips: new Clips(table, tenant),
    configuration: new Configuration(table, tenant),
    jobs: new Jobs(table, tenant, 'clips'),
  };
};

export const handler = resource(contract, services, {
  createVideoClips: async ({ params, body, tenant, now, newResourceId }, services) => {
    const { table, assets, clips } = services;
    const asset = requireReady(await assets.get(params.asset_id));
    const fresh = newClips(body.video_clips, asset, now, (at) => derivedId(newResourceId, at));
    await requireReferences(table, tenant, referencesOf(body.video_clips));
    await requireVariants(body.video_clips, asset, services);
    requireSubtitles(fresh, asset.languages);
    const data = (await clips.create(asset.asset_id, fresh)).map(shownOf);
    const Location = `/v1/assets/${asset.asset_id}/video_clips`;
    return { status: 201, body: { data }, headers: { Location } };
  },

  listVideoClips: async ({ params, query }, { assets, clips }) => {
    const { asset_id } = await assets.get(params.asset_id);
    return pageOfChildren(query, {
      path: `/v1/assets/${asset_id}/video_clips`,
      filters: ['video_clips', asset_id],
      page: (position, size) => clips.page(asset_id, position, size),
      show: shownOf,
    });
  },

  getVideoClip: async ({ params }, { clips }) => {
    const clip = await clips.get(params.asset_id, params.video_id);
    return ok(shownOf(clip), String(clip.version));
  },

  downloadVideoClips: async ({ params, body }, { assets, clips }) => {
    await assets.get(params.asset_id);
    const asked = await clips.getMany(params.asset_id, body.video_ids, '/video_ids');
    const unfinished = asked.find(({ status }) => status !== 'ready');
    if (unfinished !== undefined) {
      throw new InvalidState(`The clip ${unfinished.video_clip_id} is ${unfinished.status}, not ready.`);
    }
    throw new NotImplemented(contract.downloadVideoClips);
  },

  downloadVideoClipsAsync: async ({ params, body }, { assets, clips }) => {
    requireReady(await assets.get(params.asset_id));
    await clips.getMany(params.asset_id, body.video_ids, '/video_ids');
    throw new NotImplemented(contract.downloadVideoClipsAsync);
  },

  getDownloadJob: async ({ params }, { jobs }) =>
    followed(jobView(await jobs.get(params.asset_id, params.job_id))),
});

function referencesOf(clips: readonly GivenClip[]): Reference[] {
  return clips.flatMap(({ branding_id, subtitles_language_id }, at) => [
    ...reference(`/video_clips/${at}/branding_id`, 'brandings', 'branding', branding_id),
    ...reference(`/video_clips/${at}/subtitles_language_id`, 'languages', 'language', subtitles_language_id),
  ]);
}

const reference = (pointer: string, type: string, kind: string, id: string | undefined): Reference[] =>
  id === undefined ? [] : [{ pointer, type, kind, id }];

/** Throws validation_failed where a branding cannot be applied: it is made for other aspect ratios. */
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

/** Subtitles can be burned in where the asset has a transcription in their language. */
function requireSubtitles(clips: readonly VideoClip[], languages: readonly string[]): void {
  const missing = clips.flatMap(({ subtitles_language_id: id }, at) =>
    id === null || languages.includes(id)
      ? []
      : [{ pointer: `/video_clips/${at}/subtitles_language_id`, kind: 'transcription in the language', id }],
  );
  if (missing.length > 0) throw new UnknownReference(missing);
}
