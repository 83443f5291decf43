/** Transcriptions and their subtitles. */
import * as contract from '../../contract/transcriptions.ts';
import { Assets } from '../data/assets.ts';
import { type Transcription, Transcriptions } from '../data/transcriptions.ts';
import { languageById } from '../domain/languages.ts';
import { cuesFromSegments } from '../domain/subtitles/cues.ts';
import { writeSrt } from '../domain/subtitles/srt.ts';
import { writeVtt } from '../domain/subtitles/vtt.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { mediaObjects } from '../runtime/s3.ts';
import { ok } from './replies.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
  };
};

export const handler = resource(contract, services, {
  listTranscriptions: async ({ params }, { assets, transcriptions }) => {
    await assets.get(params.asset_id);
    return ok({ data: await transcriptions.list(params.asset_id) });
  },

  getTranscription: async ({ params }, { transcriptions }) => {
    const head = await transcriptions.get(params.asset_id, params.transcription_id);
    return ok({ ...head, segments: await transcriptions.segments(head) }, String(head.version));
  },

  getVtt: async ({ params, query }, { transcriptions }) => {
    const head = await transcriptions.get(params.asset_id, params.transcription_id);
    const language = languageOf(head);
    const cues = cuesFromSegments(await transcriptions.segments(head), language);
    const sounds = query.include_sound_descriptions ? 's' : '';
    return {
      status: 200,
      text: writeVtt(cues, { flavor: query.flavor, ...language }),
      contentType: 'text/vtt; charset=utf-8',
      etag: `${head.version}-${query.flavor}${sounds}`,
    };
  },

  getSrt: async ({ params }, { transcriptions }) => {
    const head = await transcriptions.get(params.asset_id, params.transcription_id);
    const language = languageOf(head);
    return {
      status: 200,
      text: writeSrt(cuesFromSegments(await transcriptions.segments(head), language)),
      contentType: 'application/x-subrip; charset=utf-8',
      etag: String(head.version),
    };
  },
});

/** BCP 47 tag of the text, where the language is one that the service knows. */
function languageOf({ language_id }: Transcription): { language?: string } {
  const code = languageById(language_id)?.code;
  return code === undefined ? {} : { language: code };
}
