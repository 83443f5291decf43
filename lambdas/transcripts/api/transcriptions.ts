/** Transcriptions and their subtitles. */
import * as contract from '../../../contract/resources/transcriptions.ts';
import { pageOfAll, pageOfChildren } from '../../../platform/kernel/pages.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import type { Segment } from '../../../platform/shared/segments.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { tagOf } from '../../../platform/shared/versions.ts';
import { Assets } from '../../assets/records/assets.ts';
import { soundDescriptionsOf } from '../../subtitles/records.ts';
import { cuesFromSegments } from '../../subtitles/rules/cues.ts';
import { writeSrt } from '../../subtitles/rules/srt.ts';
import { writeVtt } from '../../subtitles/rules/vtt.ts';
import { originalsOf } from '../actions/originals.ts';
import { segmentPage, segmentPlace } from '../actions/segment-pages.ts';
import { replacedHeader, stlFile } from '../actions/stl.ts';
import { speakersOf } from '../records/speakers.ts';
import {
  type StoredTranscription,
  type Transcription,
  Transcriptions,
  transcriptionView,
} from '../records/transcriptions.ts';
import { withStale } from '../rules/lineage.ts';
import { markedBy, withQc } from '../rules/qc.ts';
import { qcReport } from '../rules/qc-report.ts';
import { withSpeakerNames } from '../rules/speakers.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
    speakers: speakersOf(table, tenant),
    sounds: soundDescriptionsOf(table, tenant),
  };
};

type Services = ReturnType<typeof services>;

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
    const { head, segments, tag, media } = await shown(params, services, place?.version ?? query.version);
    const all = withQc(segments, languageOf(head).language, media.mediaDurationMs);
    const marked = markedBy(query.qc, all);
    if (place === null) return ok({ ...transcriptionView(head), segments: marked }, tag);
    const path = `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}`;
    const { members, headers } = segmentPage(path, head, marked, query, place);
    return { ...ok({ ...transcriptionView(head), ...members }, tag), headers };
  },

  getVtt: async ({ params, query }, services) => {
    const { head, segments, tag, media } = await shown(params, services);
    const language = languageOf(head);
    const sounds = query.include_sound_descriptions ? await services.sounds.list(params.asset_id) : [];
    const cues = cuesFromSegments(segments, { ...language, ...media, soundDescriptions: sounds });
    return {
      status: 200,
      text: writeVtt(cues, { flavor: query.flavor, ...language }),
      contentType: 'text/vtt; charset=utf-8',
      etag: `${tag}-${query.flavor}${tagOf(sounds, ({ description_id }) => description_id)}`,
    };
  },

  getSrt: async ({ params }, services) => {
    const { head, segments, tag, media } = await shown(params, services);
    return {
      status: 200,
      text: writeSrt(cuesFromSegments(segments, { ...languageOf(head), ...media })),
      contentType: 'application/x-subrip; charset=utf-8',
      etag: tag,
    };
  },

  getStl: async ({ params, query }, services) => {
    const [asset, transcription] = await Promise.all([
      services.assets.get(params.asset_id),
      shown(params, services),
    ]);
    const sounds = query.include_sound_descriptions ? await services.sounds.list(params.asset_id) : [];
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
    const [asset, { head, segments, tag, media }] = await Promise.all([
      services.assets.get(params.asset_id),
      shown(params, services),
    ]);
    const frameRate = asset.frame_rate ?? 25;
    const report = qcReport(segments, { profile, frameRate, ...languageOf(head), ...media });
    const { transcription_id, version } = head;
    return ok({ transcription_id, version, ...report }, `${tag}-${profile}-${frameRate}`);
  },
});

/** The newest version, or an earlier one, under the names that its speakers have now, and how long the media last. */
async function shown(
  { asset_id, transcription_id }: { asset_id: AssetId; transcription_id: string },
  { assets, transcriptions, speakers }: Services,
  version?: number,
) {
  const newest = await transcriptions.get(asset_id, transcription_id);
  const head = version === undefined ? newest : await transcriptions.atVersion(newest, version);
  const [segments, named, { duration_ms }] = await Promise.all([
    transcriptions.segments(head),
    speakers.list(asset_id),
    assets.get(asset_id),
  ]);
  const { marked, mark } = await marking(head, segments, transcriptions);
  const tag = `${head.version}${mark}${tagOf(named, ({ speaker_id }) => speaker_id)}`;
  const media = duration_ms === null ? {} : { mediaDurationMs: duration_ms };
  return { head, segments: withSpeakerNames(marked, named), tag, media };
}

/** Segments of a stale translation with their marks; only then the original has to be read. */
async function marking(head: StoredTranscription, segments: Segment[], transcriptions: Transcriptions) {
  if (!head.stale) return { marked: segments, mark: '' };
  const { origins, versions } = await originalsOf(head.asset_id, transcriptions);
  return { marked: withStale(segments, origins), mark: `-of-${versions}` };
}

/** BCP 47 tag of the text, where the language is one that the service knows. */
function languageOf({ language_id }: Transcription): { language?: string } {
  const code = languageById(language_id)?.code;
  return code === undefined ? {} : { language: code };
}
