/** Exports to external storages. */
import * as contract from '../../../build/contract/exports.js';
import { demandsIfLimited, type ReservedParts } from '../../../platform/admission/demand.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { acceptedJob, followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { jobStartIn } from '../../../platform/runtime/job-start.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { isTerminal, jobView } from '../../../shared/jobs.ts';
import { languageById } from '../../../shared/languages.ts';
import { InvalidState, NotFound } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { estimateRendering } from '../../clips/actions/estimate-rendering.ts';
import { Clips } from '../../clips/records/clips.ts';
import { requireRendered, type VideoClip } from '../../clips/rules/clips.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { waitForExport } from '../actions/await-export.ts';
import { exportJobs } from '../actions/export-step.ts';
import {
  type ExportCaller,
  type ExportRequest,
  requireStorage,
  startExport,
} from '../actions/start-export.ts';
import { renderingFirst } from '../rules/export-job.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  const objects = mediaObjects(tenant);
  return {
    ...jobStartIn(table, tenant),
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, objects, tenant),
    results: new AnalysisResults(table, objects, tenant),
    clips: new Clips(table, tenant),
    jobs: new Jobs(table, tenant, 'export'),
    storages: new Configuration(table, tenant),
  };
};

type Services = ReturnType<typeof services>;

interface TranscriptionExport extends ExportCaller {
  readonly params: { readonly asset_id: AssetId; readonly transcription_id: string };
  readonly body: ExportRequest;
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
    const job = await startExport({ subject, exported, request: body, storage }, asking, services);
    return acceptedJob<'export'>(jobView(job));
  },

  exportVideoClip: async (request, services) => {
    const { asset_id, video_clip_id } = request.params;
    requireSmall(await services.clips.get(asset_id, video_clip_id));
    const begun = await exportClip(request, services);
    const job = await waitForExport(begun, exportJobs(request.tenant, services.table));
    if (!isTerminal(job.status)) return acceptedJob<'export'>(jobView(job));
    return ok(await followedView(job, request.tenant));
  },

  exportVideoClipAsync: async (request, services) => {
    const { asset_id, video_clip_id } = request.params;
    const clip = await services.clips.get(asset_id, video_clip_id);
    const asset = requireReady(await services.assets.get(asset_id));
    const input = renderingFirst(video_clip_id);
    const rendering = await demandsIfLimited(request.limits, ['rendered_ms'], () =>
      estimateRendering([clip], asset, services),
    );
    return acceptedJob<'export'>(jobView(await exportClip(request, services, input, rendering)));
  },

  getClipExportJob: async ({ params, tenant }, { clips, jobs }) => {
    await clips.get(params.asset_id, params.video_clip_id);
    const job = await jobs.get(params.asset_id, params.job_id);
    if (job.video_clip_id !== params.video_clip_id) throw new NotFound('job', params.job_id);
    return followed(await followedView(job, tenant));
  },
});

interface ClipExport extends ExportCaller {
  readonly params: { readonly asset_id: AssetId; readonly video_clip_id: string };
  readonly body: ExportRequest;
}

/**
 * @param input of the execution, in addition to the ids
 * @param rendering what the export reserves to render first
 */
async function exportClip(
  { params, body, ...asking }: ClipExport,
  services: Services,
  input: Readonly<Record<string, string>> = {},
  rendering?: ReservedParts,
) {
  const { asset_id, video_clip_id } = params;
  const storage = await requireStorage(body.external_storage_id, services.storages);
  const { external_id } = await services.assets.get(asset_id);
  const subject = { video_clip_id, format: 'clip' } as const;
  const exported = { asset_id, external_id, ...subject };
  return startExport({ subject, exported, request: body, storage, input, rendering }, asking, services);
}

/** Larger files may take longer to write than a request may last. */
const MOST_AT_ONCE_BYTES = 200_000_000;

function requireSmall(clip: VideoClip): void {
  const { size_bytes } = requireRendered(clip, 'async_export');
  if (size_bytes <= MOST_AT_ONCE_BYTES) return;
  throw new InvalidState(
    `The clip has ${size_bytes} bytes; a synchronous export allows ${MOST_AT_ONCE_BYTES}. Use async_export.`,
  );
}

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
  const job = await startExport({ subject, exported, request: body, storage }, asking, services);
  return acceptedJob<'export'>(jobView(job));
}
