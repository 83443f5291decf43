/** Exports to external storages. */
import { operation } from '../kit/operation.ts';
import { accepted, Job, Strict, Uuid } from '../kit/schemas.ts';
import { transcriptionParams } from './transcriptions.ts';
import { jobExample } from './uploads.ts';

const ExportInput = Strict(
  { external_storage_id: Uuid('Where to write; see /v1/external_storages') },
  { $id: 'ExportInput' },
);

const clipParams = Strict({ asset_id: Uuid('Asset'), video_clip_id: Uuid('Clip') });

const shared = {
  method: 'POST',
  scope: 'exports:write',
  body: ExportInput,
  bodyExample: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' },
  responses: {
    202: {
      description: 'The job',
      body: Job,
      example: { ...jobExample, type: 'export' },
      headers: accepted,
    },
  },
  errors: ['resource_not_found', 'unknown_reference', 'invalid_state', 'not_implemented'],
} as const;

export const exportVtt = operation({
  ...shared,
  id: 'exportVtt',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt/export',
  summary: 'Write WebVTT subtitles to an external storage',
  params: transcriptionParams,
});

export const exportSrt = operation({
  ...shared,
  id: 'exportSrt',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/srt/export',
  summary: 'Write SubRip subtitles to an external storage',
  params: transcriptionParams,
});

export const exportStl = operation({
  ...shared,
  id: 'exportStl',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/stl/export',
  summary: 'Write EBU STL subtitles to an external storage',
  params: transcriptionParams,
});

export const exportJson = operation({
  ...shared,
  id: 'exportJson',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/json/export',
  summary: 'Write a transcription as JSON to an external storage',
  params: transcriptionParams,
});

export const exportMetadata = operation({
  ...shared,
  id: 'exportMetadata',
  path: '/v1/assets/{asset_id}/metadata/{metadata_id}/json/export',
  summary: 'Write metadata as JSON to an external storage',
  params: Strict({ asset_id: Uuid('Asset'), metadata_id: Uuid('Metadata') }),
});

export const exportVideoClip = operation({
  ...shared,
  id: 'exportVideoClip',
  path: '/v1/assets/{asset_id}/video_clips/{video_clip_id}/export',
  summary: 'Write a rendered clip to an external storage',
  params: clipParams,
});

export const exportVideoClipAsync = operation({
  ...shared,
  id: 'exportVideoClipAsync',
  path: '/v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export',
  summary: 'Render a clip and write it to an external storage',
  params: clipParams,
});

export const getClipExportJob = operation({
  id: 'getClipExportJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export/{job_id}',
  summary: 'Follow the export of a clip',
  scope: 'jobs:read',
  params: Strict({ asset_id: Uuid('Asset'), video_clip_id: Uuid('Clip'), job_id: Uuid('Job') }),
  responses: {
    200: {
      description: 'The job',
      body: Job,
      example: { ...jobExample, type: 'export' },
      headers: { 'Retry-After': 'Seconds until the next look is worth it, while the job runs' },
    },
  },
  errors: ['resource_not_found'],
});
