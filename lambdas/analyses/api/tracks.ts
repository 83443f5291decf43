/** Audio tracks, and where to download them. */
import * as contract from '../../../contract/resources/tracks.ts';
import { pageOfChildren } from '../../../platform/kernel/pages.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { presigner } from '../../../platform/runtime/s3.ts';
import { audioTrackView } from '../../../platform/shared/audio-tracks.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { ADDRESS_LIFETIME_S } from '../../../platform/store/presigner.ts';
import { Assets } from '../../assets/records/assets.ts';
import { audioTracksOf } from '../records/children.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    tracks: audioTracksOf(table, tenant),
    addresses: presigner(),
  };
};

export const handler = resource(contract, services, {
  listAudioTracks: async ({ params, query }, { assets, tracks }) => {
    const { asset_id } = await assets.get(params.asset_id);
    return pageOfChildren(query, {
      path: `/v1/assets/${asset_id}/audio_tracks`,
      filters: ['audio_tracks', asset_id],
      page: (position, size) => tracks.page(asset_id, position, size),
      show: audioTrackView,
    });
  },

  getAudioTrack: async ({ params }, { tracks }) => {
    const track = await tracks.get(params.asset_id, params.audio_track_id);
    return ok(audioTrackView(track), String(track.version));
  },

  getAudioTrackDownloadUrl: async ({ params, now }, { tracks, addresses }) => {
    const { object_key } = await tracks.get(params.asset_id, params.audio_track_id);
    const url = await addresses.download(object_key);
    return ok({ url, expires_at: new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString() });
  },
});
