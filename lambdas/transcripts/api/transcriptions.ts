/** Transcriptions and their subtitles. */
import * as contract from '../../../build/contract/transcriptions.js';
import { pageOfAll, pageOfChildren } from '../../../platform/kernel/pages.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { tagOf } from '../../../shared/versions.ts';
import {
  languageOf,
  shown,
  shownServices,
  soundsFor,
  srtText,
  vttText,
  withMarks,
} from '../files/actions/load-transcription.ts';
import { replacedHeader, stlFile } from '../files/actions/make-stl.ts';
import { segmentPage, segmentPlace } from '../files/actions/page-segments.ts';
import { transcriptionView } from '../lineage/records/transcriptions.ts';
import { cutsOf } from '../quality/records/cuts.ts';
import { markedBy } from '../quality/rules/mark-segments.ts';
import { qcReport } from '../quality/rules/qc-report.ts';

const services = (tenant: TenantId) => {
  const [table, objects] = [coreTable(tenant), mediaObjects(tenant)];
  return { ...shownServices(table, objects, tenant), table, objects, tenant };
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
    const transcription = await shown(params, services, place?.version ?? query.version);
    const { head, tag } = transcription;
    const marked = markedBy(query.qc, withMarks(transcription));
    if (place === null) return ok({ ...transcriptionView(head), segments: marked }, tag);
    const path = `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}`;
    const { members, headers } = segmentPage(path, head, marked, query, place);
    return { ...ok({ ...transcriptionView(head), ...members }, tag), headers };
  },

  getVtt: async ({ params, query }, services) => {
    const transcription = await shown(params, services);
    const sounds = query.include_sound_descriptions ? await soundsFor(transcription, services) : [];
    return {
      status: 200,
      text: vttText(transcription, sounds, query.flavor),
      contentType: 'text/vtt; charset=utf-8',
      etag: `${transcription.tag}-${query.flavor}${tagOf(sounds, ({ description_id }) => description_id)}`,
    };
  },

  getSrt: async ({ params }, services) => {
    const transcription = await shown(params, services);
    return {
      status: 200,
      text: srtText(transcription),
      contentType: 'application/x-subrip; charset=utf-8',
      etag: transcription.tag,
    };
  },

  getStl: async ({ params, query }, services) => {
    // One after the other: where both are missing, the answer is always about the same.
    const transcription = await shown(params, services);
    const asset = await services.assets.get(params.asset_id);
    const sounds = query.include_sound_descriptions ? await soundsFor(transcription, services) : [];
    const { file, replaced, version } = stlFile({ asset, ...transcription, sounds }, query);
    return {
      status: 200,
      bytes: file,
      contentType: 'application/x-ebu-stl',
      etag: `${transcription.tag}-${version}`,
      headers: replacedHeader(replaced),
    };
  },

  getQcReport: async ({ params, query: { profile } }, services) => {
    const { head, segments, tag, media } = await shown(params, services);
    const [asset, cuts] = await Promise.all([
      services.assets.get(params.asset_id),
      cutsOf(params.asset_id, services),
    ]);
    const frameRate = asset.frame_rate ?? 25;
    const options = { ...languageOf(head), ...media, ...(cuts && { cuts }) };
    const report = qcReport(segments, { profile, frameRate, ...options });
    const { transcription_id, version } = head;
    const seen = cuts === null ? 'unseen' : cuts.length;
    return ok({ transcription_id, version, ...report }, `${tag}-${profile}-${frameRate}-${seen}`);
  },
});
