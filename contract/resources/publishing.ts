/** Publishing of clips on platforms, now or later. */
import Type from 'typebox';
import { PublishJob } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { accepted, Body, JobUuid, Strict, Text, Timestamp, Uuid } from '../kit/schemas.ts';

const Platform = Type.Enum(['youtube', 'instagram', 'tiktok', 'linkedin', 'x', 'facebook']);

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
  items: [],
  result: null,
  error: null,
  created_at: '2026-11-21T09:50:00.000Z',
  started_at: null,
  estimated_ready_at: null,
  finished_at: null,
};

export const publishClip = operation({
  id: 'publishClip',
  method: 'POST',
  path: '/v1/clips/{clip_id}/publish',
  summary: 'Publish a clip on a platform',
  description:
    'Publishes at once, or at `schedule_at`, which must be in the future. Answers with a job, which first renders the clip if necessary.',
  scope: 'publish:write',
  params: Strict({ clip_id: Uuid('Clip') }),
  body: Body(
    {
      platform: Platform,
      caption: Type.Optional(Text('Text of the post', 5000)),
      schedule_at: Type.Optional(Timestamp('When to publish, in the future; at once if absent')),
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
  errors: ['resource_not_found', 'invalid_state'],
  planned: 'Publishing',
});

export const getPublishJob = operation({
  id: 'getPublishJob',
  method: 'GET',
  path: '/v1/publish/{job_id}',
  summary: 'Follow the publishing of a clip',
  description:
    'The status is `scheduled` until its time, then queued, running, and finally failed, or succeeded with the URL of the post in `result`. Poll again after the seconds in `Retry-After`.',
  scope: 'publish:read',
  params: Strict({ job_id: JobUuid() }),
  responses: {
    200: {
      description: 'The job',
      body: PublishJob,
      example: publishExample,
      headers: { 'Retry-After': 'Seconds to wait before the next poll, while the job runs' },
    },
  },
  errors: ['resource_not_found'],
});
