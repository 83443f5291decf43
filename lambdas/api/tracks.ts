/** Audio tracks, and where to download them. */
import * as contract from '../../contract/tracks.ts';
import { Assets } from '../data/assets.ts';
import { audioTracksOf } from '../data/children.ts';
import { ADDRESS_LIFETIME_S } from '../data/presigner.ts';
import { audioTrackView } from '../domain/audio-tracks.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { presigner } from '../runtime/s3.ts';
import { ok } from './replies.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    tracks: audioTracksOf(table, tenant),
    addresses: presigner(),
  };
};

export const handler = resource(contract, services, {
  listAudioTracks: async ({ params }, { assets, tracks }) => {
    await assets.get(params.asset_id);
    return ok({ data: (await tracks.list(params.asset_id)).map(audioTrackView) });
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
