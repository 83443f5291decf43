/** The multipart upload of an asset's media, and the job that follows it. */
import Type from 'typebox';
import { defaulted, operation } from '../kit/operation.ts';
import { accepted, Body, Job, Strict, Timestamp, Uuid } from '../kit/schemas.ts';
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

export const jobExample = {
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
  type: 'ingest',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  status: 'running',
  progress: 0.4,
  items: [],
  result: null,
  error: null,
  created_at: '2026-11-21T09:31:00.000Z',
  started_at: '2026-11-21T09:31:01.000Z',
  finished_at: null,
};

export const startUpload = operation({
  id: 'startUpload',
  method: 'POST',
  path: '/v1/assets/{asset_id}/start_upload',
  summary: 'Get one presigned address per part',
  description:
    'PUT each part to its address within the hour; keep the ETag of each answer. Every part but the last ' +
    'holds at least 5 MiB. Repeating the call signs the same upload again; parts already sent stay.',
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
  description: 'Repeating the call with the same ETags answers the same job.',
  scope: 'assets:write',
  params: assetParams,
  body: FinishUploadInput,
  bodyExample: { etags: ['"9b2cf535f27731c974343645a3985328"'] },
  responses: {
    202: { description: "The asset's ingest job", body: Job, example: jobExample, headers: accepted },
  },
  errors: ['resource_not_found', 'invalid_state', 'upload_parts_mismatch', 'quota_exceeded'],
});

export const getIngestJob = operation({
  id: 'getIngestJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/ingest_jobs/{job_id}',
  summary: 'Follow the processing of an upload',
  scope: 'assets:read',
  params: Strict({ asset_id: Uuid('Asset'), job_id: Uuid('Job') }),
  responses: {
    200: {
      description: 'The job',
      body: Job,
      example: jobExample,
      headers: { 'Retry-After': 'Seconds until the next look is worth it, while the job runs' },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter'],
  beyondSpec: true,
});

export const listIngestJobs = operation({
  id: 'listIngestJobs',
  method: 'GET',
  path: '/v1/assets/{asset_id}/ingest_jobs',
  summary: "List an asset's ingest jobs, newest first",
  scope: 'assets:read',
  params: assetParams,
  responses: {
    200: { description: 'The jobs', body: Strict({ data: Type.Array(Job) }, { $id: 'JobList' }) },
  },
  errors: ['resource_not_found', 'invalid_parameter'],
  beyondSpec: true,
});
