/** Publishing of clips on platforms, now or later. */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import {
  accepted,
  Body,
  JobErrorBody,
  JobStatus,
  Nullable,
  Strict,
  Text,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';

const Platform = Type.Enum(['youtube', 'instagram', 'tiktok', 'linkedin', 'x', 'facebook']);

const PublishJob = Strict(
  {
    job_id: Uuid('Job'),
    type: Type.Enum(['publish']),
    asset_id: Uuid('Asset that the clip is of'),
    video_clip_id: Uuid('Clip'),
    platform: Platform,
    caption: Nullable(Type.String()),
    schedule_at: Nullable(Timestamp('When it is to be published')),
    status: JobStatus,
    progress: Type.Number({ minimum: 0, maximum: 1, description: '0 to 1; never falls' }),
    result: Nullable(
      Strict({ url: Type.String({ format: 'uri', description: 'Where the platform shows it' }) }),
    ),
    error: Nullable(JobErrorBody),
    created_at: Timestamp('When the job was created'),
    started_at: Nullable(Timestamp('When work began')),
    finished_at: Nullable(Timestamp('When work ended')),
  },
  { $id: 'PublishJob' },
);

const publishExample = {
  job_id: '019a9d31-2b3c-7d4e-8f50-6b7c8d9e0f12',
  type: 'publish',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
  platform: 'youtube',
  caption: 'Kinora in 30 seconds',
  schedule_at: '2030-01-01T09:00:00.000Z',
  status: 'scheduled',
  progress: 0,
  result: null,
  error: null,
  created_at: '2026-11-21T09:50:00.000Z',
  started_at: null,
  finished_at: null,
};

export const publishClip = operation({
  id: 'publishClip',
  method: 'POST',
  path: '/v1/clips/{clip_id}/publish',
  summary: 'Publish a clip on a platform',
  scope: 'publish:write',
  params: Strict({ clip_id: Uuid('Clip') }),
  body: Body(
    {
      platform: Platform,
      caption: Type.Optional(Text('Text beside the clip', 5000)),
      schedule_at: Type.Optional(Timestamp('When to publish, in the future; at once when absent')),
    },
    { $id: 'PublishInput' },
  ),
  bodyExample: {
    platform: 'youtube',
    caption: 'Kinora in 30 seconds',
    schedule_at: '2030-01-01T09:00:00.000Z',
  },
  responses: {
    202: { description: 'The job', body: PublishJob, example: publishExample, headers: accepted },
  },
  errors: ['resource_not_found', 'invalid_state', 'not_implemented'],
});

export const getPublishJob = operation({
  id: 'getPublishJob',
  method: 'GET',
  path: '/v1/publish/{job_id}',
  summary: 'Follow the publishing of a clip',
  scope: 'publish:read',
  params: Strict({ job_id: Uuid('Job') }),
  responses: {
    200: {
      description: 'The job',
      body: PublishJob,
      example: publishExample,
      headers: { 'Retry-After': 'Seconds until the next look is worth it, while the job runs' },
    },
  },
  errors: ['resource_not_found'],
});
