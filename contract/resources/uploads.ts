/** The multipart upload of an asset's media, and the job that follows it. */
import Type from 'typebox';
import { pageParameters } from '../kit/crud.ts';
import { jobExample, jobFollowed, jobPage, jobStarted } from '../kit/job-answers.ts';
import { IngestJob } from '../kit/jobs.ts';
import { defaulted, operation } from '../kit/operation.ts';
import { AssetUuid, Body, JobUuid, Strict, Timestamp } from '../kit/schemas.ts';
import { assetParams } from './assets.ts';

export const UploadTicket = Strict(
  {
    upload_id: Type.String({ description: 'Multipart upload' }),
    expires_at: Timestamp('When the addresses stop working'),
    parts: Type.Array(
      Strict({
        part_number: Type.Integer({ minimum: 1, maximum: 1000 }),
        url: Type.String({ format: 'uri', description: 'PUT the bytes of the part here' }),
      }),
    ),
  },
  { $id: 'UploadTicket' },
);

export const StartUploadInput = Body(
  {
    parts: defaulted(Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Number of parts' })),
  },
  { $id: 'StartUploadInput' },
);

export const FinishUploadInput = Strict(
  {
    etags: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      minItems: 1,
      maxItems: 1000,
      description: 'ETag of every uploaded part, in part order; with or without its quotes',
    }),
  },
  { $id: 'FinishUploadInput' },
);

const ingest = jobExample('ingest');

export const startUpload = operation({
  id: 'startUpload',
  method: 'POST',
  path: '/v1/assets/{asset_id}/start_upload',
  summary: 'Get one presigned address per part',
  description:
    'PUT each part to its address within the hour; keep the ETag of each answer. Every part but the last ' +
    'holds at least 5 MiB, and none more than 5 GiB; together they may have 100 GiB. Repeating the call signs the same upload again; parts already sent stay.',
  scope: 'assets:write',
  params: assetParams,
  body: StartUploadInput,
  bodyExample: { parts: 3 },
  bodyOptional: true,
  responses: { 200: { description: 'The addresses', body: UploadTicket } },
  errors: ['resource_not_found', 'invalid_state', 'quota_exceeded'],
});

export const finishUpload = operation({
  id: 'finishUpload',
  method: 'POST',
  path: '/v1/assets/{asset_id}/finish_upload',
  summary: 'Complete the upload and start processing',
  description:
    'Answers at once with the job that looks at the media and transcribes them; the asset is then processing. ' +
    'Where parts are missing or differ, nothing is lost. More than 100 GiB are refused as `payload_too_large`; media that ' +
    'last more than twelve hours, or have more than 64 streams or 33,177,600 pixels a frame, fail the job with ' +
    '`media_limit_exceeded`. Repeating the call with the same ETags answers the same job.',
  scope: 'assets:write',
  params: assetParams,
  body: FinishUploadInput,
  bodyExample: { etags: ['"9b2cf535f27731c974343645a3985328"'] },
  responses: jobStarted(IngestJob, ingest),
  errors: ['resource_not_found', 'invalid_state', 'upload_parts_mismatch', 'quota_exceeded'],
});

export const getIngestJob = operation({
  id: 'getIngestJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/ingest_jobs/{job_id}',
  summary: 'Follow the processing of an upload',
  description:
    'The job that `finish_upload` started: queued, running, then succeeded or failed for good, with `error` saying why and what to do. Ask again after the seconds of `Retry-After`.',
  scope: 'assets:read',
  params: Strict({ asset_id: AssetUuid(), job_id: JobUuid() }),
  responses: jobFollowed(IngestJob, ingest),
  errors: ['resource_not_found', 'invalid_parameter'],
  beyondSpec: true,
});

export const listIngestJobs = operation({
  id: 'listIngestJobs',
  method: 'GET',
  path: '/v1/assets/{asset_id}/ingest_jobs',
  summary: "List an asset's ingest jobs, newest first",
  description:
    'One for each upload that was finished, whatever became of it: an asset whose processing failed can be uploaded again.',
  scope: 'assets:read',
  params: assetParams,
  query: pageParameters,
  responses: jobPage(IngestJob, 'IngestJobPage', ingest),
  errors: ['invalid_cursor', 'resource_not_found', 'invalid_parameter'],
  beyondSpec: true,
});
