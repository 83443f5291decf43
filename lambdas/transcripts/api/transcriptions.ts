import * as contract from '../../../build/contract/transcriptions.js';
import { ok, pageOfAll, pageOfChildren } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { tagOf } from '../../../shared/versions.ts';
import {
  factsOf,
  loadTranscription,
  soundDescriptionsFor,
  srtText,
  transcriptionServices,
  vttText,
  withMarks,
} from '../files/actions/load-transcription.ts';
import { makeStl, replacedHeader } from '../files/actions/make-stl.ts';
import { segmentPage, segmentPlace } from '../files/actions/page-segments.ts';
import { reportQuality } from '../files/actions/report-quality.ts';
import { transcriptionView } from '../lineage/records/transcription-items.ts';
import { markedBy } from '../quality/rules/mark-segments.ts';

const services = (tenant: TenantId) => {
  const [table, objects] = [coreTable(tenant), mediaObjects(tenant)];
  return { ...transcriptionServices(table, objects, tenant), table, objects, tenant };
};

export const handler = resource(contract, services, {
  listTranscriptions: async ({ params, query }, { assets, transcriptions }) => {
    const { asset_id } = await assets.get(params.asset_id);
    const list = { path: `/v1/assets/${asset_id}/transcriptions`, filters: ['transcriptions', asset_id] };
    if (query.stale !== undefined) {
      const found = (await transcriptions.list(asset_id)).filter(({ stale }) => stale === query.stale);
      const filters = [...list.filters, `stale=${query.stale}`];
      return pageOfAll(query, found.map(transcriptionView), { ...list, filters });
    }
    return pageOfChildren(query, {
      ...list,
      page: (position, size) => transcriptions.page(asset_id, position, size),
      show: transcriptionView,
    });
  },

  getTranscription: async ({ params, query }, services) => {
    const place = segmentPlace(params.transcription_id, query);
    const transcription = await loadTranscription(params, services, place?.version ?? query.version);
    const { head, tag } = transcription;
    const marked = markedBy(query.qc, withMarks(transcription));
    if (place === null) return ok({ ...factsOf(transcription), segments: marked }, tag);
    const path = `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}`;
    const { members, headers } = segmentPage(path, head, { segments: marked, query, place });
    return { ...ok({ ...factsOf(transcription), ...members }, tag), headers };
  },

  getVtt: async ({ params, query }, services) => {
    const transcription = await loadTranscription(params, services);
    const sounds = await soundDescriptionsFor(transcription, services, query.include_sound_descriptions);
    return {
      status: 200,
      text: vttText(transcription, sounds, query.flavor),
      contentType: 'text/vtt; charset=utf-8',
      etag: `${transcription.tag}-${query.flavor}${tagOf(sounds, ({ description_id }) => description_id)}`,
    };
  },

  getSrt: async ({ params }, services) => {
    const transcription = await loadTranscription(params, services);
    return {
      status: 200,
      text: srtText(transcription),
      contentType: 'application/x-subrip; charset=utf-8',
      etag: transcription.tag,
    };
  },

  getStl: async ({ params, query }, services) => {
    const transcription = await loadTranscription(params, services);
    const sounds = await soundDescriptionsFor(transcription, services, query.include_sound_descriptions);
    const { file, replaced, fingerprint } = makeStl(transcription, sounds, query);
    return {
      status: 200,
      bytes: file,
      contentType: 'application/x-ebu-stl',
      etag: `${transcription.tag}-${fingerprint}`,
      headers: replacedHeader(replaced),
    };
  },

  getQcReport: async ({ params, query: { profile } }, services) => {
    const transcription = await loadTranscription(params, services);
    const { report, tag } = await reportQuality(transcription, profile, services);
    return ok(report, tag);
  },
});
