/** Exports to external storages. */

import { jobExample, jobFollowed, jobStarted } from '../kit/job-answers.ts';
import { ExportJob } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, JobUuid, Strict, Uuid } from '../kit/schemas.ts';
import { transcriptionParams } from './transcriptions.ts';

const ExportInput = Strict(
  { external_storage_id: Uuid('Where to write; see /v1/external_storages') },
  { $id: 'ExportInput' },
);

const clipParams = Strict({ asset_id: AssetUuid(), video_clip_id: Uuid('Clip') });

const shared = {
  method: 'POST',
  scope: 'exports:write',
  body: ExportInput,
  bodyExample: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' },
  responses: jobStarted(ExportJob, jobExample('export')),
  errors: ['resource_not_found', 'unknown_reference', 'invalid_state'],
} as const;

export const exportVtt = operation({
  ...shared,
  id: 'exportVtt',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt/export',
  summary: 'Write WebVTT subtitles to an external storage',
  description:
    "The file that `GET …/vtt` answers, under the storage's `export_path`. The job ends when the storage has it.",
  params: transcriptionParams,
});

export const exportSrt = operation({
  ...shared,
  id: 'exportSrt',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/srt/export',
  summary: 'Write SubRip subtitles to an external storage',
  description:
    "The file that `GET …/srt` answers, under the storage's `export_path`. The job ends when the storage has it.",
  params: transcriptionParams,
});

export const exportStl = operation({
  ...shared,
  id: 'exportStl',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/stl/export',
  summary: 'Write EBU STL subtitles to an external storage',
  description:
    "The file that `GET …/stl` answers, under the storage's `export_path`. The job ends when the storage has it.",
  params: transcriptionParams,
});

export const exportJson = operation({
  ...shared,
  id: 'exportJson',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/json/export',
  summary: 'Write a transcription as JSON to an external storage',
  description:
    'The segments with their times, speakers and words, as `GET …/{transcription_id}` shows them, in one file. The job ends when the storage has it.',
  params: transcriptionParams,
});

export const exportMetadata = operation({
  ...shared,
  id: 'exportMetadata',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/metadata/{metadata_id}/json/export',
  summary: 'Write metadata as JSON to an external storage',
  description:
    'Everything that `GET …/metadata/{metadata_id}` shows, in one file. The job ends when the storage has it.',
  params: Strict({ asset_id: AssetUuid(), metadata_id: Uuid('Metadata') }),
});

export const exportVideoClip = operation({
  ...shared,
  id: 'exportVideoClip',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/video_clips/{video_clip_id}/export',
  summary: 'Write a rendered clip to an external storage',
  description:
    'For a clip that is ready; one that is not is refused with `invalid_state`: use `async_export`. The job ends when the storage has the file.',
  params: clipParams,
});

export const exportVideoClipAsync = operation({
  ...shared,
  id: 'exportVideoClipAsync',
  planned: 'Exporting',
  path: '/v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export',
  summary: 'Render a clip and write it to an external storage',
  description:
    'Renders the clip first where that was not done, in the same job. The job ends when the storage has the file.',
  params: clipParams,
});

export const getClipExportJob = operation({
  id: 'getClipExportJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export/{job_id}',
  summary: 'Follow the export of a clip',
  description:
    'Queued, running, then succeeded or failed for good, with `error` saying what the storage answered. Ask again after the seconds of `Retry-After`.',
  scope: 'jobs:read',
  params: Strict({ asset_id: AssetUuid(), video_clip_id: Uuid('Clip'), job_id: JobUuid() }),
  responses: jobFollowed(ExportJob, jobExample('export')),
  errors: ['resource_not_found'],
});
