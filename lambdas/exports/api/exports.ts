import * as contract from '../../../build/contract/exports.js';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { acceptedJob } from '../../../platform/kernel/job-replies.ts';
import { followed, ok } from '../../../platform/kernel/replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { jobStartIn } from '../../../platform/runtime/admission-queue.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { NotFound } from '../../../shared/problems.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { clipServices } from '../../clips/actions/clip-step.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import {
  exportMetadata,
  exportRenderedClip,
  exportTranscription,
  renderAndExportClip,
} from '../actions/request-exports.ts';
import type { ExportOwn } from '../rules/export-job.ts';

const servicesOf = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  const objects = mediaObjects(tenant);
  return {
    ...jobStartIn(table, tenant),
    ...clipServices(tenant, table),
    transcriptions: new Transcriptions(table, objects, tenant),
    results: new AnalysisResults(table, objects, tenant),
    jobs: new Jobs(table, tenant, 'export'),
    storages: new Configuration(table, tenant),
  };
};

interface TranscriptionExport extends Caller {
  readonly params: { readonly asset_id: AssetId; readonly transcription_id: string };
  readonly body: {
    readonly external_storage_id: string;
    readonly overwrite?: boolean | undefined;
  } & NonNullable<ExportOwn['options']>;
}

const transcriptionExport =
  (format: 'vtt' | 'srt' | 'stl' | 'json') =>
  async ({ params, body, ...caller }: TranscriptionExport, services: ReturnType<typeof servicesOf>) => {
    const { external_storage_id, overwrite, ...options } = body;
    const request = { ...caller, ...params, external_storage_id, overwrite, options, format };
    return acceptedJob(await exportTranscription(request, services));
  };

export const handler = resource(contract, servicesOf, {
  exportVtt: transcriptionExport('vtt'),
  exportSrt: transcriptionExport('srt'),
  exportStl: transcriptionExport('stl'),
  exportJson: transcriptionExport('json'),

  exportMetadata: async ({ params, body, ...caller }, services) =>
    acceptedJob(await exportMetadata({ ...caller, ...params, ...body }, services)),

  exportVideoClip: async ({ params, body, ...caller }, services) => {
    const job = await exportRenderedClip({ ...caller, ...params, ...body }, services);
    if (!isTerminal(job.status)) return acceptedJob(job);
    return ok(await followedView(job, caller.tenant));
  },

  exportVideoClipAsync: async ({ params, body, ...caller }, services) =>
    acceptedJob(await renderAndExportClip({ ...caller, ...params, ...body }, services)),

  getClipExportJob: async ({ params, tenant }, { clips, jobs }) => {
    await clips.get(params.asset_id, params.video_clip_id);
    const job = await jobs.get(params.asset_id, params.job_id);
    if (job.video_clip_id !== params.video_clip_id) throw new NotFound('job', params.job_id);
    return followed(await followedView(job, tenant));
  },
});
