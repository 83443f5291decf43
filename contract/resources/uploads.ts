/** The multipart upload of an asset's media, and the job that processes the media. */
import Type from 'typebox';
import { jobSchemas } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import {
  Body,
  defaulted,
  jobExample,
  jobFollowed,
  jobPages,
  jobStarted,
  Strict,
  Timestamp,
  Url,
} from '../kit/schemas.ts';

export const UploadTicket = Strict(
  {
    upload_id: Type.String({ description: 'Multipart upload' }),
    expires_at: Timestamp('When the URLs stop working'),
    parts: Type.Array(
      Strict({
        part_number: Type.Integer({ minimum: 1, maximum: 1000 }),
        url: Url('Upload URL: PUT the bytes of the part here'),
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

export const FinishUploadInput = Body(
  {
    etags: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      minItems: 1,
      maxItems: 1000,
      description: 'ETag of every uploaded part, in part order; with or without its quotes',
    }),
    size_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Size of the whole file in bytes. The parts must have it together. It then decides how many parts the file has, also if `start_upload` got a larger number',
      }),
    ),
  },
  { $id: 'FinishUploadInput' },
);

const ingest = jobExample('ingest');

export const startUpload = operation({
  route: 'POST /v1/assets/{asset_id}/start_upload',
  summary: 'Get one upload URL per part',
  description:
    'PUT each part to its URL within one hour, and keep the ETag of each answer. Every part except the last ' +
    'has at least 5 MiB, and at most 5 GiB; all parts together have at most 100 GiB. Repeating the call signs the same upload again; ' +
    'uploaded parts stay, and the largest number of parts counts.',
  scope: 'assets:write',
  body: StartUploadInput,
  bodyExample: { parts: 3 },
  bodyOptional: true,
  responses: { 200: { description: 'The upload URLs', body: UploadTicket } },
  errors: ['invalid_state', 'quota_exceeded'],
});

export const finishUpload = operation({
  route: 'POST /v1/assets/{asset_id}/finish_upload',
  summary: 'Complete the upload and start processing',
  description:
    'Answers at once with the job that analyzes and transcribes the media; the asset is then processing. ' +
    'If one of the parts that `start_upload` got is missing, or if parts differ, the answer names them, and all uploaded parts are kept. Above 100 GiB, the answer is `payload_too_large`. Media of ' +
    'more than twelve hours, 64 streams or 33,177,600 pixels per frame makes the job fail with ' +
    '`media_limit_exceeded`. Repeating the call with the same ETags answers with the same job.',
  scope: 'assets:write',
  body: FinishUploadInput,
  bodyExample: { etags: ['"9b2cf535f27731c974343645a3985328"'] },
  responses: jobStarted(jobSchemas.ingest, ingest),
  errors: ['invalid_state', 'upload_parts_mismatch', 'quota_exceeded'],
});

export const getIngestJob = operation({
  route: 'GET /v1/assets/{asset_id}/ingest_jobs/{job_id}',
  summary: 'Follow the processing of an upload',
  description:
    'The job that `finish_upload` started. Its status is queued, then running, then finally succeeded or failed; `error` says why and what to do. Poll again after the seconds in `Retry-After`.',
  scope: 'assets:read',
  responses: jobFollowed(jobSchemas.ingest, ingest),
  beyondSpec: true,
});

export const listIngestJobs = operation({
  route: 'GET /v1/assets/{asset_id}/ingest_jobs',
  summary: "List an asset's ingest jobs, newest first",
  description:
    'One for each finished upload, failed ones included. If the processing of an asset failed, you can upload it again.',
  scope: 'assets:read',
  ...jobPages(jobSchemas.ingest, 'IngestJobPage', ingest),
  beyondSpec: true,
});
