/** Each request that changes segments makes one new version of the transcription. */
import * as contract from '../../../build/contract/segments.js';
import { created, noContent, ok, pageOfAll } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { transcriptionView } from '../lineage/records/transcription-items.ts';
import {
  deleteSegment,
  mergeSegments,
  restoreVersion,
  splitSegment,
  updateSegment,
  updateSegments,
} from '../segments/actions/change-segments.ts';
import { createSegments } from '../segments/actions/create-segments.ts';
import { transcriptRecordsOf } from '../speakers/records/speakers.ts';

const services = (tenant: TenantId) => transcriptRecordsOf(coreTable(tenant), mediaObjects(tenant), tenant);

export const handler = resource(contract, services, {
  createSegments: async ({ params, body, ...request }, services) => {
    const { answer, tag } = await createSegments(params, body.segments, request, services);
    return created(answer, `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}`, tag);
  },

  updateSegments: async ({ params, body, ...request }, services) => {
    const { answer, tag } = await updateSegments(params, body.segments, request, services);
    return ok(answer, tag);
  },

  updateSegment: async ({ params, body, ...request }, services) => {
    const { answer, tag } = await updateSegment(params, body, request, services);
    return ok(itemAt(answer.segments, 0), tag);
  },

  splitSegment: async ({ params, body, ...request }, services) => {
    const { answer, tag } = await splitSegment(params, body, request, services);
    return ok(answer, tag);
  },

  mergeSegments: async ({ params, body, ...request }, services) => {
    const { answer, tag } = await mergeSegments(params, body.segment_ids, request, services);
    return ok(answer, tag);
  },

  deleteSegment: async ({ params, ...request }, services) => {
    await deleteSegment(params, request, services);
    return noContent();
  },

  listTranscriptionVersions: async ({ params, query }, { transcriptions }) => {
    const head = await transcriptions.get(params.asset_id, params.transcription_id);
    return pageOfAll(query, await transcriptions.versions(head), {
      path: `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}/versions`,
      filters: ['versions', params.transcription_id],
    });
  },

  restoreTranscription: async ({ params, body, ...request }, services) => {
    const { head, tag } = await restoreVersion(params, body.version, request, services);
    return ok(transcriptionView(head), tag);
  },
});
