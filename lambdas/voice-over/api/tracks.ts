import * as contract from '../../../build/contract/tracks.js';
import { ok, pageOfChildren } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { addressEnd, type Presigner } from '../../../platform/objects/presigner.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { presigner } from '../../../platform/runtime/s3.ts';
import { audioTrackView, type Dub, type StoredAudioTrack } from '../../../shared/audio-tracks.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { InvalidState, NotFound } from '../../../shared/problems.ts';
import { dubServices } from '../actions/voice-over-step.ts';
import { fitReport } from '../rules/fit-report.ts';

const services = (tenant: TenantId) => {
  const { transcriptions, ...known } = dubServices(tenant, coreTable(tenant));
  const versions = async (assetId: AssetId) => {
    const heads = await transcriptions.list(assetId);
    return new Map(heads.map(({ transcription_id, version }) => [transcription_id, version]));
  };
  return { ...known, versions, addresses: presigner() };
};

export const handler = resource(contract, services, {
  listAudioTracks: async ({ params, query }, { assets, tracks, versions }) => {
    const { asset_id } = await assets.get(params.asset_id);
    const known = await versions(asset_id);
    return pageOfChildren(query, {
      path: `/v1/assets/${asset_id}/audio_tracks`,
      filters: ['audio_tracks', asset_id],
      page: (position, size) => tracks.page(asset_id, position, size),
      show: (track) => audioTrackView(track, known),
    });
  },

  getAudioTrack: async ({ params }, { tracks, versions }) => {
    const track = await tracks.get(params.asset_id, params.audio_track_id);
    const view = audioTrackView(track, await versions(track.asset_id));
    // A track can become stale without a new version, so the ETag includes that fact.
    return ok(view, view.stale ? `${track.version}-stale` : String(track.version));
  },

  getAudioTrackDownloadUrl: async ({ params, now }, { tracks, addresses }) => {
    const { object_key } = await tracks.get(params.asset_id, params.audio_track_id);
    return ok(await address(object_key, addresses, now));
  },

  getAudioTrackFit: async ({ params }, { tracks, files }) => {
    const track = await tracks.get(params.asset_id, params.audio_track_id);
    const fit = await files.fitAt(dubOf(track).fit_key);
    // A job replaced the track with a new version during this request.
    if (fit === null) throw new NotFound('audio track', track.audio_track_id);
    return ok(fitReport(track, dubOf(track), fit), String(track.version));
  },

  getAudioTrackVideoDownloadUrl: async ({ params, now }, { tracks, addresses }) => {
    const { video_key } = dubOf(await tracks.get(params.asset_id, params.audio_track_id));
    if (video_key === null) {
      throw new InvalidState('No video was made with the track: create a voice over job with mux.');
    }
    return ok(await address(video_key, addresses, now));
  },
});

function dubOf({ dub }: StoredAudioTrack): Dub {
  if (dub === undefined) throw new InvalidState('The track is the original sound, not a voice over.');
  return dub;
}

const address = async (key: string, addresses: Presigner, now: Date) => ({
  url: await addresses.download(key),
  expires_at: addressEnd(now),
});
