/** Exports to external storages. */
import * as contract from '../../../contract/resources/exports.ts';
import { Jobs } from '../../../platform/jobs/records.ts';
import { followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import {
  InvalidState,
  NotFound,
  NotImplemented,
  noneFound,
  UnknownReference,
} from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { Configuration } from '../../../platform/store/configuration.ts';
import { AnalysisResults } from '../../analyses/records/results.ts';
import { Clips } from '../../clips/records/clips.ts';
import { Transcriptions } from '../../transcripts/records/transcriptions.ts';
import { requireComplete } from '../rules/external-storages.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  const objects = mediaObjects(tenant);
  return {
    transcriptions: new Transcriptions(table, objects, tenant),
    results: new AnalysisResults(table, objects, tenant),
    clips: new Clips(table, tenant),
    jobs: new Jobs(table, tenant, 'export'),
    storages: new Configuration(table, tenant),
  };
};

type Services = ReturnType<typeof services>;

interface PlannedExport {
  readonly planned: string;
}

const place = { type: 'external_storages', kind: 'external storage' };

interface TranscriptionExport {
  readonly params: { readonly asset_id: AssetId; readonly transcription_id: string };
  readonly body: { readonly external_storage_id: string };
}

export const handler = resource(contract, services, {
  exportVtt: (request, services) => exportTranscription(contract.exportVtt, request, services),
  exportSrt: (request, services) => exportTranscription(contract.exportSrt, request, services),
  exportStl: (request, services) => exportTranscription(contract.exportStl, request, services),
  exportJson: (request, services) => exportTranscription(contract.exportJson, request, services),

  exportMetadata: async ({ params, body }, services) => {
    await services.results.metadata(params.asset_id, params.metadata_id);
    return exportTo(contract.exportMetadata, body.external_storage_id, services);
  },

  exportVideoClip: async ({ params, body }, services) => {
    const { status } = await services.clips.get(params.asset_id, params.video_clip_id);
    if (status !== 'ready') throw new InvalidState(`The clip is ${status}, not ready: use async_export.`);
    return exportTo(contract.exportVideoClip, body.external_storage_id, services);
  },

  exportVideoClipAsync: async ({ params, body }, services) => {
    await services.clips.get(params.asset_id, params.video_clip_id);
    return exportTo(contract.exportVideoClipAsync, body.external_storage_id, services);
  },

  getClipExportJob: async ({ params }, { clips, jobs }) => {
    await clips.get(params.asset_id, params.video_clip_id);
    const job = await jobs.get(params.asset_id, params.job_id);
    if (job.video_clip_id !== params.video_clip_id) throw new NotFound('job', params.job_id);
    return followed(jobView(job));
  },
});

async function exportTranscription(
  operation: PlannedExport,
  { params, body }: TranscriptionExport,
  services: Services,
) {
  await services.transcriptions.get(params.asset_id, params.transcription_id);
  return exportTo(operation, body.external_storage_id, services);
}

async function exportTo(operation: PlannedExport, id: string, { storages }: Services): Promise<never> {
  const storage = await storages.get(place, id).catch(noneFound);
  if (storage === null) throw new UnknownReference([{ pointer: '/external_storage_id', ...place, id }]);
  requireComplete(storage);
  throw new NotImplemented(operation);
}
