/** Analyses of an asset, and the annotations that callers add. */
import * as contract from '../../../build/contract/analyses.js';
import { created, noContent, ok, pageOfAll, pageOfChildren } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { NotFound } from '../../../shared/problems.ts';
import type { DescribedSound } from '../../../shared/sound-descriptions.ts';
import { firstVersion, shownOf } from '../../../shared/versions.ts';
import { Assets } from '../../assets/records/assets.ts';
import { soundDescriptionsOf } from '../../sound-descriptions/records.ts';
import { speakersOf } from '../../transcripts/speakers/records/speakers.ts';
import { faceView, listNamedFaces, nameFace } from '../actions/name-faces.ts';
import { posterView, storyboardView } from '../actions/storyboard-views.ts';
import { AnalysisResults } from '../records/analysis-results.ts';
import { centersOfInterestOf, faceNamingsOf } from '../records/annotations.ts';
import { byTime, requireSpan } from '../rules/analysis-types.ts';
import { framedSpans, requireBox } from '../rules/framing.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    addresses: presigner(),
    centers: centersOfInterestOf(table, tenant),
    namings: faceNamingsOf(table, tenant),
    speakers: speakersOf(table, tenant),
    sounds: soundDescriptionsOf(table, tenant),
    results: new AnalysisResults(table, mediaObjects(tenant), tenant),
  };
};

export const handler = resource(contract, services, {
  createCenterOfInterest: async ({ params, body, now, newResourceId }, { assets, centers }) => {
    const { asset_id, duration_ms } = await assets.get(params.asset_id);
    requireSpan(body, duration_ms);
    requireBox(body);
    const { width = null, height = null, label = null } = body;
    const fresh = { ...body, coi_id: newResourceId, asset_id, width, height, label };
    const stored = { ...fresh, ...firstVersion(now) };
    const center = await centers.create(asset_id, newResourceId, stored);
    const path = `/v1/assets/${asset_id}/centers_of_interest/${center.coi_id}`;
    return created(shownOf(center), path, String(center.version));
  },

  listCentersOfInterest: async ({ params, query }, { assets, centers }) => {
    const { asset_id } = await assets.get(params.asset_id);
    const all = byTime(await centers.list(asset_id)).map(shownOf);
    return pageOfAll(query, all, listAt(asset_id, 'centers_of_interest'));
  },

  deleteCenterOfInterest: async ({ params, ifMatch }, { centers }) => {
    await centers.delete(params.asset_id, params.coi_id, ifMatch);
    return noContent();
  },

  listSoundDescriptions: async ({ params, query }, { assets, sounds }) => {
    const { asset_id } = await assets.get(params.asset_id);
    const all = byTime(await sounds.list(asset_id)).map(shownSound);
    return pageOfAll(query, all, listAt(asset_id, 'sound_descriptions'));
  },

  getSoundDescription: async ({ params }, { sounds }) => {
    const sound = await sounds.get(params.asset_id, params.description_id);
    return ok(shownSound(sound), String(sound.version));
  },

  deleteSoundDescription: async ({ params, ifMatch }, { sounds }) => {
    await sounds.deleteForGood(params.asset_id, params.description_id, ifMatch);
    return noContent();
  },

  listMetadata: async ({ params, query }, { assets, results }) => {
    const { asset_id } = await assets.get(params.asset_id);
    return pageOfChildren(query, {
      ...listAt(asset_id, 'metadata'),
      page: (position, size) => results.metadataPage(asset_id, position, size),
      show: shownOf,
    });
  },

  getMetadata: async ({ params }, { results }) => {
    const { head, details } = await results.metadata(params.asset_id, params.metadata_id);
    return ok({ ...shownOf(head), ...details }, String(head.version));
  },

  getWaveform: async ({ params }, { assets, results }) => {
    const { asset_id } = await assets.get(params.asset_id);
    return ok(await results.waveform(asset_id));
  },

  listCameraShoots: async ({ params, query }, { assets, results }) => {
    const { asset_id } = await assets.get(params.asset_id);
    const shots = await results.list(asset_id, 'camera_shoots');
    return pageOfAll(query, shots, listAt(asset_id, 'camera_shoots'));
  },

  listFaces: async ({ params, query, now }, services) => {
    const { asset_id } = await services.assets.get(params.asset_id);
    const reply = pageOfAll(query, await listNamedFaces(asset_id, services), listAt(asset_id, 'faces'));
    const data = await Promise.all(reply.body.data.map((face) => faceView(face, services.addresses, now)));
    return { ...reply, body: { ...reply.body, data } };
  },

  updateFace: async ({ params, body, now, ifMatch }, services) => {
    const { face, version } = await nameFace(params, body, { now, ifMatch }, services);
    return ok(await faceView(face, services.addresses, now), String(version));
  },

  getStoryboard: async ({ params, now }, { assets, addresses, results }) => {
    const { asset_id } = await assets.get(params.asset_id);
    return ok(await storyboardView(asset_id, await results.list(asset_id, 'storyboard'), addresses, now));
  },

  getPoster: async ({ params, now }, { assets, addresses, results }) => {
    const { asset_id } = await assets.get(params.asset_id);
    const [poster] = await results.list(asset_id, 'posters');
    if (poster === undefined) throw new NotFound('poster of the asset', asset_id);
    return ok(await posterView(poster, addresses, now));
  },

  listAutocenter: async ({ params, query }, { assets, centers, results }) => {
    const { asset_id, duration_ms } = await assets.get(params.asset_id);
    const [found, set] = await Promise.all([results.list(asset_id, 'autocenter'), centers.list(asset_id)]);
    return pageOfAll(query, framedSpans(found, set, duration_ms), listAt(asset_id, 'autocenter'));
  },
});

const shownSound = ({ kind: _, ...sound }: DescribedSound) => shownOf(sound);

const listAt = (assetId: AssetId, name: string) => ({
  path: `/v1/assets/${assetId}/${name}`,
  filters: [name, assetId],
});
