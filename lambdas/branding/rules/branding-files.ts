/** Files of a branding, their limits, and the job that checks them. */
import type { JobFailure } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { mediaLimitExceeded } from '../../../shared/job-errors.ts';
import { type JobResult, queued, type StoredJob } from '../../../shared/jobs.ts';
import type { MediaLimits, VideoStream } from '../../../shared/media.ts';
import type { Limits } from '../../../shared/usage.ts';

export type FileType = 'branding_overlays' | 'branding_clips';

/** Facts of a file. The duration of a picture is null. */
export type FileFacts = JobResult<'branding_upload'>;

/**
 * The file that rendering reads, converted after the upload: upright, with square pixels. A picture is a PNG. A video is
 * H.264 (yuv420p, closed groups of pictures, 48 kHz stereo AAC) in MP4, or VP9 with alpha in WebM. ffmpeg reads the alpha
 * channel only with its decoder `libvpx-vp9`.
 */
export interface UsableFile {
  /** Object key. Each upload has its own. */
  readonly key: string;
  readonly media_type: 'image/png' | 'video/mp4' | 'video/webm';
  /** Width and height in pixels. In videos they are even numbers. */
  readonly width: number;
  readonly height: number;
  /** The duration and the frame rate are null for a picture. The frame rate of a video is constant. */
  readonly duration_ms: number | null;
  readonly frame_rate: { readonly num: number; readonly den: number } | null;
  /** If false, the rendered clip is silent while it shows this file. */
  readonly has_audio: boolean;
}

/** Members of an overlay or branding clip that callers cannot set. */
export interface FileState {
  readonly status: 'created' | 'uploading' | 'ready' | 'failed';
  readonly error: JobFailure | null;
  readonly file?: UsableFile | null;
  readonly upload_id?: string | null;
  /** The largest number of parts in the requests of start_upload for this upload. */
  readonly upload_parts?: number;
  readonly upload_job_id?: JobId | null;
}

export interface FileOwn {
  /** The quotas of the tenant when its upload was finished. Absent if none applies. */
  readonly quotas?: Limits['quotas'];
  readonly upload_id: string;
  readonly etags: readonly string[];
  readonly size_bytes?: number;
}

export type FileJob = StoredJob<'branding_upload', FileOwn>;

/** Limits of pictures and videos; `contract/resources/branding-files.ts` documents them. */
export const FILE_LIMITS: MediaLimits = {
  max_bytes: 2 * 2 ** 30,
  max_duration_ms: 3 * 60_000,
  max_pixels: 7680 * 4320,
  max_side: 16_384,
  max_streams: 16,
};

/** The maximum number of pixels of a frame. DCI 4K and UHD-1 fit, landscape or portrait. */
const VIDEO_PIXELS = 4096 * 2304;
/** The maximum number of pixels of all frames: three minutes of 1080p at 60 frames/s. A step has no time to convert more. */
const VIDEO_WORK_PIXELS = 1920 * 1080 * 60 * 180;
/** The limit for all frames of an overlay is lower by this factor: VP9 with alpha encodes two videos. */
const ALPHA_SHARE = 2;

/** Throws media_limit_exceeded for a video that would take too long to convert. */
export function requireFits(
  { width, height, frame_rate }: Pick<VideoStream, 'width' | 'height' | 'frame_rate'>,
  duration_ms: number,
  type: FileType,
): void {
  const pixels = width * height;
  if (pixels > VIDEO_PIXELS) {
    throw mediaLimitExceeded(
      `The video has ${width} × ${height} pixels; the maximum is ${VIDEO_PIXELS} in total.`,
    );
  }
  const work = (pixels * Math.min(60, frame_rate?.value ?? 25) * duration_ms) / 1000;
  const most = VIDEO_WORK_PIXELS / (type === 'branding_overlays' ? ALPHA_SHARE : 1);
  if (work <= most) return;
  const seconds = Math.floor((duration_ms / 1000) * (most / work));
  throw mediaLimitExceeded(
    `The video of ${width} × ${height} pixels lasts ${duration_ms} ms; at this size and frame rate the maximum is ${seconds} s.`,
  );
}

/** Facts that callers see: the bytes of the upload, and the displayed size in pixels. */
export const factsOf = (
  { media_type, duration_ms }: Pick<UsableFile, 'media_type' | 'duration_ms'>,
  { width, height }: { readonly width: number; readonly height: number },
  size_bytes: number,
): FileFacts => ({
  media_type: media_type === 'image/png' ? 'image' : 'video',
  size_bytes,
  width,
  height,
  duration_ms,
});

export const newFileJob = (
  jobId: JobId,
  {
    type,
    file_id,
    own,
    now,
  }: { readonly type: FileType; readonly file_id: string; readonly own: FileOwn; readonly now: Date },
): FileJob => ({
  ...queued(jobId, now),
  type: 'branding_upload',
  ...subjects[type](file_id),
  machine: 'BrandingUpload',
  input: { type, file_id },
  own,
});

export const fileIdNames = { branding_overlays: 'overlay_id', branding_clips: 'clip_id' } as const;

const subjects = {
  branding_overlays: (overlay_id: string) => ({ overlay_id }),
  branding_clips: (clip_id: string) => ({ clip_id }),
} as const;
