/** Video clips: parts of an asset, reframed, branded and subtitled as asked. */
import Type from 'typebox';
import { Confidence, FramingSource } from '../kit/analysis-fields.ts';
import { pageParameters } from '../kit/crud.ts';
import { jobExample, jobFollowed, jobStarted } from '../kit/job-answers.ts';
import { MOST_CLIPS } from '../kit/job-kinds.ts';
import { ClipsJob } from '../kit/jobs.ts';
import { defaulted, operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Body,
  JobErrorBody,
  JobUuid,
  listed,
  Milliseconds,
  Nullable,
  Page,
  pageExample,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
import { assetParams } from './assets.ts';

const Frame = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000_000, description });
const Part = (description: string) => Type.Integer({ minimum: 1, maximum: 10_000, description });

const ClipInput = Body(
  {
    start_ms: Type.Optional(Milliseconds('Start; the beginning when absent')),
    end_ms: Type.Optional(Milliseconds('End; the end of the media when absent')),
    start_frame: Type.Optional(Frame('First frame, from 0; instead of start_ms')),
    end_frame: Type.Optional(Frame('First frame after the clip; instead of end_ms')),
    aspect_ratio_x: Type.Optional(
      Part('Width part of the aspect ratio, from 1:10 to 10:1; with aspect_ratio_y'),
    ),
    aspect_ratio_y: Type.Optional(
      Part('Height part of the aspect ratio, from 1:10 to 10:1; with aspect_ratio_x'),
    ),
    autoframing: defaulted(
      Type.Boolean({ default: false, description: 'Whether the frame follows what is of interest' }),
    ),
    branding_id: Type.Optional(
      Uuid('Branding to apply; where it has variants, one of them is for the aspect ratio'),
    ),
    subtitles_language_id: Type.Optional(Uuid('Language of burned-in subtitles')),
    with_sound_descriptions: defaulted(
      Type.Boolean({ default: false, description: 'Whether subtitles tell sounds' }),
    ),
  },
  { $id: 'VideoClipInput' },
);

export const VideoClip = Strict(
  {
    video_clip_id: Uuid('Clip'),
    asset_id: AssetUuid(),
    status: Type.Enum(['created', 'rendering', 'ready', 'failed'], {
      description:
        'created until somebody asks for the clip, then rendering, and at last ready or failed; a job that is canceled leaves it as it was',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'How much of it is rendered, 0 to 1' }),
    job_id: Nullable(JobUuid('Job that renders it, or did so last')),
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End'),
    start_frame: Nullable(Frame('First frame, where frames were given')),
    end_frame: Nullable(Frame('First frame after the clip, where frames were given')),
    aspect_ratio_x: Nullable(Part('Width part of the aspect ratio; null keeps that of the media')),
    aspect_ratio_y: Nullable(Part('Height part of the aspect ratio')),
    autoframing: Type.Boolean(),
    branding_id: Nullable(Uuid('Branding')),
    subtitles_language_id: Nullable(Uuid('Language of burned-in subtitles')),
    with_sound_descriptions: Type.Boolean(),
    error: Nullable(JobErrorBody),
    rendered_at: Nullable(
      Timestamp('When the file was made; null, as all that follows, while there is none'),
    ),
    stale: Type.Boolean({
      description:
        'Whether the file would be another by now: its subtitles, sound descriptions, branding or framing changed since. Asking for it again renders what changed',
    }),
    notes: Type.Array(
      Strict({
        code: Type.String({ description: 'Its stable name: `font_substituted`, for one' }),
        detail: Type.String({ description: 'What was done instead, a sentence' }),
      }),
      { description: 'What was asked for and done otherwise, or not' },
    ),
    size_bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of the file' })),
    width: Nullable(Type.Integer({ minimum: 1, description: 'Width, pixels; null until it is rendered' })),
    height: Nullable(Type.Integer({ minimum: 1, description: 'Height, pixels; null until it is rendered' })),
    duration_ms: Nullable(Milliseconds('How long the file plays, with intro and outro')),
    frame_count: Nullable(
      Type.Integer({ minimum: 0, description: 'Frames of the file; null until it is rendered' }),
    ),
    thumbnail_url: Nullable(
      Type.String({ format: 'uri', description: 'GET a picture of it here (JPEG), for an hour' }),
    ),
    created_at: Timestamp('When the clip was created'),
    updated_at: Timestamp('When the clip changed last'),
  },
  { $id: 'VideoClip' },
);

export const clipExample = {
  video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  status: 'created',
  progress: 0,
  job_id: null,
  start_ms: 12_000,
  end_ms: 42_000,
  start_frame: null,
  end_frame: null,
  aspect_ratio_x: 9,
  aspect_ratio_y: 16,
  autoframing: true,
  branding_id: null,
  subtitles_language_id: null,
  with_sound_descriptions: false,
  error: null,
  rendered_at: null,
  stale: false,
  notes: [],
  size_bytes: null,
  width: null,
  height: null,
  duration_ms: null,
  frame_count: null,
  thumbnail_url: null,
  created_at: '2026-11-21T09:45:00.000Z',
  updated_at: '2026-11-21T09:45:00.000Z',
};

const VideoClipList = Strict({ data: Type.Array(VideoClip) }, { $id: 'VideoClipList' });

export const createVideoClips = operation({
  id: 'createVideoClips',
  method: 'POST',
  path: '/v1/assets/{asset_id}/video_clips',
  summary: 'Create clips of a ready asset, all or none',
  description:
    'Say where each begins and ends in milliseconds or in frames, not in both. They are described, not rendered: ' +
    'downloading, exporting or publishing one renders it. 40 at once.',
  scope: 'assets:write',
  params: assetParams,
  body: Strict(
    { video_clips: Type.Array(ClipInput, { minItems: 1, maxItems: 40 }) },
    { $id: 'CreateVideoClipsInput' },
  ),
  bodyExample: {
    video_clips: [
      { start_ms: 12_000, end_ms: 42_000, aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true },
    ],
  },
  responses: {
    201: {
      description: 'The new clips, as asked',
      body: VideoClipList,
      example: { data: [clipExample] },
      headers: { Location: 'Path of the clips' },
    },
  },
  errors: ['resource_not_found', 'invalid_state', 'unknown_reference'],
});

export const listVideoClips = operation({
  id: 'listVideoClips',
  method: 'GET',
  path: '/v1/assets/{asset_id}/video_clips',
  summary: 'List the clips of an asset, oldest first',
  description:
    'All that were made of the asset, rendered or not. Creating a clip does not render it: downloading, exporting or publishing does.',
  scope: 'assets:read',
  params: assetParams,
  query: pageParameters,
  responses: {
    200: {
      description: 'One page of clips',
      body: Page(VideoClip, 'VideoClipPage'),
      example: pageExample(clipExample),
      headers: listed,
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor'],
});

export const getVideoClip = operation({
  id: 'getVideoClip',
  method: 'GET',
  path: '/v1/assets/{asset_id}/video_clips/{video_id}',
  summary: 'Get a clip',
  description:
    '`status` is created until somebody asks for the clip, then rendering, and at last ready or failed. Where frames were given, `start_ms` and `end_ms` are what they come to.',
  scope: 'assets:read',
  params: Strict({ asset_id: AssetUuid(), video_id: Uuid('Clip') }),
  responses: {
    200: { description: 'The clip', body: VideoClip, example: clipExample, headers: { ETag: 'Its version' } },
  },
  errors: ['resource_not_found'],
});

const Pixels = (description: string) => Type.Number({ minimum: 0, description });

const FramePoint = Strict(
  {
    at_ms: Type.Number({
      minimum: 0,
      description: 'From the start of the clip; may lie between two milliseconds',
    }),
    x: Pixels('Left edge of the frame, in pixels of the picture as displayed; may lie between two'),
    y: Pixels('Its top'),
    jump: Type.Boolean({
      description: 'Whether a shot begins here: nothing lies between it and the point before',
    }),
  },
  { $id: 'FramePoint' },
);

const VideoClipFraming = Strict(
  {
    video_clip_id: Uuid('Clip'),
    asset_id: AssetUuid(),
    width: Nullable(
      Type.Integer({
        description: 'Width of the frame in pixels of the picture, even; null without a picture',
      }),
    ),
    height: Nullable(Type.Integer({ description: 'Height of the frame in pixels of the picture, even' })),
    points: Type.Array(FramePoint, {
      maxItems: 20_000,
      description: 'By time; straight between points that do not jump. Longer paths are told less finely',
    }),
    stretches: Type.Array(
      Strict({
        start_ms: Milliseconds('Start, from that of the clip'),
        end_ms: Milliseconds('End'),
        source: FramingSource,
        confidence: Confidence,
      }),
      { description: 'What decides, by time' },
    ),
    is_rendered: Type.Boolean({ description: 'Whether the file of the clip was rendered with this path' }),
  },
  { $id: 'VideoClipFraming' },
);

export const getVideoClipFraming = operation({
  id: 'getVideoClipFraming',
  method: 'GET',
  path: '/v1/assets/{asset_id}/video_clips/{video_id}/framing',
  summary: 'Get the path of the frame in a clip',
  description:
    'Which part of the picture the clip shows, and when, as it would be rendered now: by autocenter and the centers of interest ' +
    'with `autoframing`, else the middle. `is_rendered` tells whether its file shows that already. A center of interest is the way to change it.',
  beyondSpec: true,
  scope: 'assets:read',
  params: Strict({ asset_id: AssetUuid(), video_id: Uuid('Clip') }),
  responses: {
    200: {
      description: 'The path',
      body: VideoClipFraming,
      example: {
        video_clip_id: clipExample.video_clip_id,
        asset_id: clipExample.asset_id,
        width: 608,
        height: 1080,
        points: [
          { at_ms: 0, x: 656, y: 0, jump: false },
          { at_ms: 3980, x: 812.5, y: 0, jump: true },
        ],
        stretches: [
          { start_ms: 0, end_ms: 4000, source: 'picture', confidence: null },
          { start_ms: 4000, end_ms: 30_000, source: 'face', confidence: 0.95 },
        ],
        is_rendered: false,
      },
    },
  },
  errors: ['resource_not_found'],
});

export const deleteVideoClip = operation({
  id: 'deleteVideoClip',
  method: 'DELETE',
  path: '/v1/assets/{asset_id}/video_clips/{video_id}',
  summary: 'Delete a clip with its file',
  description:
    'Addresses that were given out stop working. What was exported or published stays where it is. A clip that a job renders or is still to render is refused: cancel the job first.',
  beyondSpec: true,
  scope: 'assets:write',
  params: Strict({ asset_id: AssetUuid(), video_id: Uuid('Clip') }),
  responses: { 204: { description: 'The clip is gone' } },
  errors: ['resource_not_found', 'invalid_state'],
});

const DownloadInput = Strict(
  {
    video_ids: Type.Array(Uuid('Clip'), {
      minItems: 1,
      maxItems: MOST_CLIPS,
      uniqueItems: true,
      description: 'Clips of the asset',
    }),
  },
  { $id: 'DownloadInput' },
);
const downloadExample = { video_ids: [clipExample.video_clip_id] };

export const downloadVideoClips = operation({
  id: 'downloadVideoClips',
  method: 'POST',
  path: '/v1/assets/{asset_id}/video_clips/download',
  summary: 'Get addresses to download rendered clips from',
  description:
    'Answers at once with one presigned address a clip, each good for an hour and for ranges. Clips that are not rendered are refused with `invalid_state`: use `download_async` for them. A clip that is `stale` is given as it was rendered.',
  scope: 'assets:read',
  params: assetParams,
  body: DownloadInput,
  bodyExample: downloadExample,
  responses: {
    200: {
      description: 'The addresses',
      body: Strict(
        {
          data: Type.Array(
            Strict({
              video_clip_id: Uuid('Clip'),
              url: Type.String({ format: 'uri', description: 'GET the clip here' }),
              expires_at: Timestamp('When the address stops working'),
            }),
          ),
        },
        { $id: 'DownloadList' },
      ),
    },
  },
  errors: ['resource_not_found', 'invalid_state', 'unknown_reference'],
});

export const downloadVideoClipsAsync = operation({
  id: 'downloadVideoClipsAsync',
  method: 'POST',
  path: '/v1/assets/{asset_id}/video_clips/download_async',
  summary: 'Render clips and get addresses to download them from',
  description:
    'Answers with a job that renders what is not rendered yet, or changed since, clip by clip; its items tell of each, with an address that is good for an hour, and `download` gives new ones. Clips that are ready and as they were cost nothing; one that another job renders at this moment is waited for. Canceling leaves every clip as it was.',
  scope: 'jobs:write',
  params: assetParams,
  body: DownloadInput,
  bodyExample: downloadExample,
  responses: jobStarted(ClipsJob, jobExample('clips')),
  errors: ['resource_not_found', 'invalid_state', 'unknown_reference', 'quota_exceeded'],
});

export const getDownloadJob = operation({
  id: 'getDownloadJob',
  method: 'GET',
  path: '/v1/assets/{asset_id}/video_clips/download_async/{job_id}',
  summary: 'Follow a download job',
  description:
    'Queued, running, then succeeded, partially_succeeded or failed for good; `items` tells of each clip. Ask again after the seconds of `Retry-After`.',
  scope: 'jobs:read',
  params: Strict({ asset_id: AssetUuid(), job_id: JobUuid() }),
  responses: jobFollowed(ClipsJob, jobExample('clips')),
  errors: ['resource_not_found'],
});
