/** Exports to external storages. */
import * as contract from '../../../contract/resources/exports.ts';
import { Jobs } from '../../../platform/jobs/records.ts';
import { acceptedJob, followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { beginningIn } from '../../../platform/runtime/beginning.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import { InvalidState, NotFound, NotImplemented } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { Configuration } from '../../../platform/store/configuration.ts';
import { AnalysisResults } from '../../analyses/records/results.ts';
import { Assets } from '../../assets/records/assets.ts';
import { Clips } from '../../clips/records/clips.ts';
import { Transcriptions } from '../../transcripts/records/transcriptions.ts';
import { type Asked, type Asking, requireStorage, startedExport } from '../actions/start.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  const objects = mediaObjects(tenant);
  return {
    ...beginningIn(table, tenant),
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, objects, tenant),
    results: new AnalysisResults(table, objects, tenant),
    clips: new Clips(table, tenant),
    jobs: new Jobs(table, tenant, 'export'),
    storages: new Configuration(table, tenant),
  };
};

type Services = ReturnType<typeof services>;

interface TranscriptionExport extends Asking {
  readonly params: { readonly asset_id: AssetId; readonly transcription_id: string };
  readonly body: Asked;
}

export const handler = resource(contract, services, {
  exportVtt: (request, services) => exportTranscription('vtt', request, services),
  exportSrt: (request, services) => exportTranscription('srt', request, services),
  exportStl: (request, services) => exportTranscription('stl', request, services),
  exportJson: (request, services) => exportTranscription('json', request, services),

  exportMetadata: async ({ params, body, ...asking }, services) => {
    const { asset_id, metadata_id } = params;
    await services.results.metadata(asset_id, metadata_id);
    const storage = await requireStorage(body.external_storage_id, services.storages);
    const { external_id } = await services.assets.get(asset_id);
    const subject = { metadata_id, format: 'metadata' } as const;
    const exported = { asset_id, external_id, ...subject };
    const job = await startedExport(subject, exported, body, storage, asking, services);
    return acceptedJob<'export'>(jobView(job));
  },

  exportVideoClip: async ({ params, body }, { clips, storages }) => {
    const { status } = await clips.get(params.asset_id, params.video_clip_id);
    if (status !== 'ready') throw new InvalidState(`The clip is ${status}, not ready: use async_export.`);
    await requireStorage(body.external_storage_id, storages);
    throw new NotImplemented(contract.exportVideoClip);
  },

  exportVideoClipAsync: async ({ params, body }, { clips, storages }) => {
    await clips.get(params.asset_id, params.video_clip_id);
    await requireStorage(body.external_storage_id, storages);
    throw new NotImplemented(contract.exportVideoClipAsync);
  },

  getClipExportJob: async ({ params }, { clips, jobs }) => {
    await clips.get(params.asset_id, params.video_clip_id);
    const job = await jobs.get(params.asset_id, params.job_id);
    if (job.video_clip_id !== params.video_clip_id) throw new NotFound('job', params.job_id);
    return followed(jobView(job));
  },
});

async function exportTranscription(
  format: 'vtt' | 'srt' | 'stl' | 'json',
  { params, body, ...asking }: TranscriptionExport,
  services: Services,
) {
  const { assets, transcriptions, storages } = services;
  const { asset_id, transcription_id } = params;
  const { version, language_id } = await transcriptions.get(asset_id, transcription_id);
  const storage = await requireStorage(body.external_storage_id, storages);
  const { external_id } = await assets.get(asset_id);
  const language = languageById(language_id)?.code ?? language_id;
  const subject = { transcription_id, version, format } as const;
  const exported = { asset_id, external_id, language, format };
  const job = await startedExport(subject, exported, body, storage, asking, services);
  return acceptedJob<'export'>(jobView(job));
}
