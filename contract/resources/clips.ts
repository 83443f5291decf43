/** Video clips: parts of an asset, reframed, branded and subtitled as requested. */
import Type from 'typebox';
import { MOST_CLIPS } from '../kit/job-kinds.ts';
import { jobSchemas } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Body,
  Confidence,
  Count,
  defaulted,
  Fraction,
  FramingSource,
  found,
  JobErrorBody,
  JobUuid,
  jobExample,
  jobFollowed,
  jobStarted,
  Milliseconds,
  Nullable,
  pages,
  Strict,
  shown,
  Timestamp,
  Url,
  Uuid,
} from '../kit/schemas.ts';

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
      Type.Boolean({ default: false, description: 'Whether the frame follows the point of interest' }),
    ),
    branding_id: Type.Optional(
      Uuid('Branding to apply; if it has variants, one of them must be for the aspect ratio'),
    ),
    subtitles_language_id: Type.Optional(Uuid('Language of burned-in subtitles')),
    with_sound_descriptions: defaulted(
      Type.Boolean({ default: false, description: 'Whether subtitles include sound descriptions' }),
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
        'created until the clip is requested, then rendering, then ready or failed; a canceled job leaves it unchanged',
    }),
    progress: Fraction('Rendered share of the clip, 0 to 1'),
    job_id: Nullable(JobUuid('Job that renders it, or rendered it last')),
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End'),
    start_frame: Nullable(Frame('First frame, if frames were given')),
    end_frame: Nullable(Frame('First frame after the clip, if frames were given')),
    aspect_ratio_x: Nullable(Part('Width part of the aspect ratio; null keeps that of the media')),
    aspect_ratio_y: Nullable(Part('Height part of the aspect ratio')),
    autoframing: Type.Boolean(),
    branding_id: Nullable(Uuid('Branding')),
    subtitles_language_id: Nullable(Uuid('Language of burned-in subtitles')),
    with_sound_descriptions: Type.Boolean(),
    error: Nullable(JobErrorBody),
    rendered_at: Nullable(
      Timestamp('When the file was made; null, like the fields below, while there is no file'),
    ),
    stale: Type.Boolean({
      description:
        'Whether the subtitles, sound descriptions, branding or framing changed after the file was made. Requesting the clip again renders the changes',
    }),
    notes: Type.Array(
      Strict({
        code: Type.String({ description: 'Stable code, such as `font_substituted`' }),
        detail: Type.String({ description: 'The replacement, as a sentence' }),
      }),
      { description: 'Differences between the request and the file' },
    ),
    size_bytes: Nullable(Count('Size of the file')),
    width: Nullable(Type.Integer({ minimum: 1, description: 'Width, pixels; null until it is rendered' })),
    height: Nullable(Type.Integer({ minimum: 1, description: 'Height, pixels; null until it is rendered' })),
    duration_ms: Nullable(Milliseconds('Duration of the file, with intro and outro')),
    frame_count: Nullable(Count('Frames of the file; null until it is rendered')),
    thumbnail_url: Nullable(Url('URL of a picture of the clip (JPEG), for one hour')),
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
  route: 'POST /v1/assets/{asset_id}/video_clips',
  summary: 'Create clips of a ready asset, all or none',
  description:
    'Give the start and the end of each clip in milliseconds or in frames, not in both. This call does not render the clips: ' +
    'downloading, exporting or publishing a clip renders it. At most 40 clips per call.',
  scope: 'assets:write',
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
      description: 'The new clips, in the order of the request',
      body: VideoClipList,
      example: { data: [clipExample] },
      headers: { Location: 'Path of the clips' },
    },
  },
  errors: ['invalid_state', 'unknown_reference'],
});

export const listVideoClips = operation({
  route: 'GET /v1/assets/{asset_id}/video_clips',
  summary: 'List the clips of an asset, oldest first',
  description:
    'All clips of the asset, rendered or not. Downloading, exporting or publishing a clip renders it.',
  scope: 'assets:read',
  ...pages('One page of clips', VideoClip, 'VideoClipPage', clipExample),
});

export const getVideoClip = operation({
  route: 'GET /v1/assets/{asset_id}/video_clips/{video_id}',
  summary: 'Get a clip',
  description:
    '`status` is created until the clip is requested, then rendering, then ready or failed. If frames were given, `start_ms` and `end_ms` are calculated from them.',
  scope: 'assets:read',
  responses: found('clip', VideoClip, clipExample, 'Its version'),
});

const Pixels = (description: string) => Type.Number({ minimum: 0, description });

const FramePoint = Strict(
  {
    at_ms: Type.Number({
      minimum: 0,
      description: 'Milliseconds from the start of the clip; may have decimals',
    }),
    x: Pixels('Left edge of the frame, in pixels of the displayed picture; may have decimals'),
    y: Pixels('Its top'),
    jump: Type.Boolean({
      description: 'Whether a shot begins here: the frame jumps from the point before',
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
        description: 'Width of the frame in pixels of the picture, an even number; null without a picture',
      }),
    ),
    height: Nullable(
      Type.Integer({ description: 'Height of the frame in pixels of the picture, an even number' }),
    ),
    points: Type.Array(FramePoint, {
      maxItems: 20_000,
      description:
        'Points by time. The path is straight between points that do not jump. Long paths have fewer details',
    }),
    stretches: Type.Array(
      Strict({
        start_ms: Milliseconds('Start, from the start of the clip'),
        end_ms: Milliseconds('End'),
        source: FramingSource,
        confidence: Confidence,
      }),
      { description: 'Reasons for the framing, by time' },
    ),
    is_rendered: Type.Boolean({ description: 'Whether the file of the clip was rendered with this path' }),
  },
  { $id: 'VideoClipFraming' },
);

export const getVideoClipFraming = operation({
  route: 'GET /v1/assets/{asset_id}/video_clips/{video_id}/framing',
  summary: 'Get the path of the frame in a clip',
  description:
    'The part of the picture that the clip shows over time, if it were rendered now. With `autoframing`, the frame follows ' +
    'autocenter and the centers of interest; else it stays in the middle. `is_rendered` says whether the file has this path already. To change the path, mark a center of interest.',
  beyondSpec: true,
  scope: 'assets:read',
  responses: shown('The path', VideoClipFraming, {
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
  }),
});

export const deleteVideoClip = operation({
  route: 'DELETE /v1/assets/{asset_id}/video_clips/{video_id}',
  summary: 'Delete a clip with its file',
  description:
    'Its download URLs stop working. Exported and published copies stay. If a job renders the clip or will render it, the answer is `invalid_state`: cancel the job first.',
  beyondSpec: true,
  scope: 'assets:write',
  responses: { 204: { description: 'The clip is deleted' } },
  errors: ['invalid_state'],
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
  route: 'POST /v1/assets/{asset_id}/video_clips/download',
  summary: 'Get download URLs of rendered clips',
  description:
    'Answers at once with one presigned URL per clip. Each works for one hour and supports ranges. If a clip is not rendered, the answer is `invalid_state`: use `download_async`. A `stale` clip is returned as it was rendered.',
  scope: 'assets:read',
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
              url: Url('GET the clip here'),
              expires_at: Timestamp('When the address stops working'),
            }),
          ),
        },
        { $id: 'DownloadList' },
      ),
    },
  },
  errors: ['invalid_state', 'unknown_reference'],
});

export const downloadVideoClipsAsync = operation({
  route: 'POST /v1/assets/{asset_id}/video_clips/download_async',
  summary: 'Render clips and get their download URLs',
  description:
    'Answers with a job that renders the clips that are not rendered yet or have changed. The job has one item per clip, with a URL that works for one hour; `download` returns new URLs. Clips that are ready and unchanged cost nothing. If another job renders a clip now, this job waits for it. Canceling leaves every clip unchanged.',
  scope: 'jobs:write',
  body: DownloadInput,
  bodyExample: downloadExample,
  responses: jobStarted(jobSchemas.clips, jobExample('clips')),
  errors: ['invalid_state', 'unknown_reference', 'quota_exceeded'],
});

export const getDownloadJob = operation({
  route: 'GET /v1/assets/{asset_id}/video_clips/download_async/{job_id}',
  summary: 'Follow a download job',
  description:
    'The status is queued, then running, then finally succeeded, partially_succeeded or failed; `items` has the status of each clip. Poll again after the seconds in `Retry-After`.',
  scope: 'jobs:read',
  responses: jobFollowed(jobSchemas.clips, jobExample('clips')),
});
