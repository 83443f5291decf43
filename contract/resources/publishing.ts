/** Publishing of clips on platforms, immediately or at a later time. */
import Type from 'typebox';
import { jobSchemas, Platform } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { assetId, Body, jobExample, jobFollowed, jobStarted, Text, Timestamp } from '../kit/schemas.ts';

const post = {
  platform: 'youtube',
  caption: 'Kinora in 30 seconds',
  schedule_at: '2030-01-01T09:00:00.000Z',
};

const publishExample = jobExample(
  'publish',
  {
    job_id: '019a9d31-2b3c-7d4e-8f50-6b7c8d9e0f12',
    status: 'scheduled',
    progress: 0,
    created_at: '2026-11-21T09:50:00.000Z',
    started_at: null,
    estimated_ready_at: null,
  },
  {
    asset_id: assetId,
    video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
    ...post,
  },
);

export const publishClip = operation({
  route: 'POST /v1/clips/{clip_id}/publish',
  summary: 'Publish a clip on a platform',
  description:
    'Publishes at once, or at `schedule_at`, which must be in the future. Answers with a job, which first renders the clip if necessary.',
  scope: 'publish:write',
  body: Body(
    {
      platform: Platform,
      caption: Type.Optional(Text('Text of the post', 5000)),
      schedule_at: Type.Optional(Timestamp('When to publish, in the future; at once if absent')),
    },
    { $id: 'PublishInput' },
  ),
  bodyExample: post,
  responses: jobStarted(jobSchemas.publish, publishExample),
  errors: ['invalid_state'],
  planned: 'Publishing',
});

export const getPublishJob = operation({
  route: 'GET /v1/publish/{job_id}',
  summary: 'Follow the publishing of a clip',
  description:
    'The status is `scheduled` until its time, then queued, running, and finally failed, or succeeded with the URL of the post in `result`. Poll again after the seconds in `Retry-After`.',
  scope: 'publish:read',
  responses: jobFollowed(jobSchemas.publish, publishExample),
});
