import Type, { type TSchema } from 'typebox';
import { jobSchemas } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { Body, jobExample, jobFollowed, jobStarted, Uuid } from '../kit/schemas.ts';
import { stlOptions, vttOptions } from '../kit/subtitle-options.ts';

const exportMembers = {
  external_storage_id: Uuid('Storage to write to; see /v1/external_storages'),
  overwrite: Type.Optional(
    Type.Boolean({
      description:
        'true: replaces any object at the path. false: replaces only an earlier export of the same thing',
    }),
  ),
};

const ExportInput = Body(exportMembers, { $id: 'ExportInput' });

/** The rules for exports of transcriptions and metadata. */
const rules =
  "The path is the storage's `export_path`. Path and version are fixed now, and the job shows them. The export replaces an earlier export of the same thing. A newer export at the path stays, and the job fails with `storage_object_exists`. Another object at the path has the same result unless `overwrite` is true. The job ends when the storage has the file and has verified it.";

const clipRules =
  "The path is the storage's `export_path`; it is fixed now, and the job shows it. The export replaces an earlier export of the same clip. If another object is at the path, the job fails with `storage_object_exists` unless `overwrite` is true. The job ends when the storage has the file and has verified it.";

const example = jobExample('export', {
  transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10',
  version: 3,
  format: 'vtt',
  external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
  path: 'kinora/019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11/en.vtt',
});

const clipPath = 'kinora/019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11/019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01.mp4';

const clipExample = jobExample('export', {
  video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
  format: 'clip',
  external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
  path: clipPath,
});

const ended = {
  status: 'succeeded',
  progress: 1,
  result: {
    external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
    path: clipPath,
    location: `s3://acme-archive/${clipPath}`,
    size_bytes: 7_340_032,
    sha256: '5c1f0a7e7f6b2a0c8a9e4d3b2c1f0e9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a39',
    confirmed: { algorithm: 'SHA256', of: 'file', value: 'XB8Kfn9rKgyKnk07LB8OnYx7al9OPSwbCp+OfWxbSjk=' },
  },
  finished_at: '2026-11-21T09:31:09.000Z',
};

const shared = {
  scope: 'exports:write',
  body: ExportInput,
  bodyExample: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' },
  responses: jobStarted(jobSchemas.export, example),
  errors: ['unknown_reference', 'invalid_state'],
} as const;

const exportOfSubtitles = <const Format extends 'vtt' | 'srt' | 'stl', Input extends TSchema>(
  format: Format,
  name: string,
  body: Input,
) =>
  operation({
    ...shared,
    body,
    route: `POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/${format}/export`,
    summary: `Write ${name} subtitles to an external storage`,
    description: `The file that \`GET …/${format}\` answers, with the same options. ${rules}`,
  });

const VttExportInput = Body({ ...exportMembers, ...vttOptions }, { $id: 'VttExportInput' });
const StlExportInput = Body({ ...exportMembers, ...stlOptions }, { $id: 'StlExportInput' });

export const exportVtt = exportOfSubtitles('vtt', 'WebVTT', VttExportInput);
export const exportSrt = exportOfSubtitles('srt', 'SubRip', ExportInput);
export const exportStl = exportOfSubtitles('stl', 'EBU STL', StlExportInput);

export const exportJson = operation({
  ...shared,
  route: 'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/json/export',
  summary: 'Write a transcription as JSON to an external storage',
  description: `The segments with their times, speakers and words, as \`GET …/{transcription_id}\` shows them, in one file. ${rules}`,
});

export const exportMetadata = operation({
  ...shared,
  route: 'POST /v1/assets/{asset_id}/metadata/{metadata_id}/json/export',
  summary: 'Write metadata as JSON to an external storage',
  description: `Everything that \`GET …/metadata/{metadata_id}\` shows, in one file. ${rules}`,
});

export const exportVideoClip = operation({
  ...shared,
  route: 'POST /v1/assets/{asset_id}/video_clips/{video_clip_id}/export',
  summary: 'Write a rendered clip to an external storage, and wait for it',
  description: `For a clip that is ready and has at most 200 MB; otherwise the answer is \`invalid_state\`: use \`async_export\`. Answers 200 with the job when it has ended, successfully or not. If the storage needs longer than a request may take, answers 202 with the running job. ${clipRules}`,
  responses: {
    200: {
      description: 'The job, which has ended',
      body: jobSchemas.export,
      example: { ...clipExample, ...ended },
    },
    202: jobStarted(jobSchemas.export, clipExample)[202],
  },
});

export const exportVideoClipAsync = operation({
  ...shared,
  route: 'POST /v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export',
  summary: 'Render a clip and write it to an external storage',
  description: `The job first renders the clip if it is not rendered yet or has changed. ${clipRules}`,
  responses: jobStarted(jobSchemas.export, clipExample),
  errors: [...shared.errors, 'quota_exceeded'],
});

export const getClipExportJob = operation({
  route: 'GET /v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export/{job_id}',
  summary: 'Follow the export of a clip',
  description:
    'The status is queued, then running, then finally succeeded or failed; `error` has the answer of the storage. Poll again after the seconds in `Retry-After`.',
  scope: 'jobs:read',
  responses: jobFollowed(jobSchemas.export, clipExample),
});
