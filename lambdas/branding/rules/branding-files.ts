/** Files of a branding: what they may be, and the job that finds out. */

import type { JobFailure } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { mediaLimitExceeded } from '../../../shared/job-errors.ts';
import { type JobResult, queued, type StoredJob } from '../../../shared/jobs.ts';
import type { Limits } from '../../../shared/limits.ts';
import type { MediaLimits, VideoStream } from '../../../shared/media.ts';

export type FileType = 'branding_overlays' | 'branding_clips';

/** What is found out about a file; the duration of a picture is null. */
export type FileFacts = JobResult<'branding_upload'>;

/**
 * The file as rendering reads it, made at its upload: upright, with square pixels. A picture is a PNG; a video is H.264
 * (yuv420p, closed groups of pictures, 48 kHz stereo AAC) in MP4, or VP9 with alpha in WebM, of which ffmpeg sees the alpha with its decoder
 * `libvpx-vp9` alone.
 */
export interface UsableFile {
  /** Of the object. Another upload of the file has another. */
  readonly key: string;
  readonly media_type: 'image/png' | 'video/mp4' | 'video/webm';
  /** Pixels, even in videos. */
  readonly width: number;
  readonly height: number;
  /** Null for a picture, as is the frame rate, which is constant. */
  readonly duration_ms: number | null;
  readonly frame_rate: { readonly num: number; readonly den: number } | null;
  /** Without it, what is rendered has silence there. */
  readonly has_audio: boolean;
}

/** What an overlay or clip keeps beside what its creator gave. */
export interface FileState {
  readonly status: 'created' | 'uploading' | 'ready' | 'failed';
  readonly error: JobFailure | null;
  /** Null until it is ready. */
  readonly file?: UsableFile | null;
  /** The multipart upload under way, and the job that completes it. */
  readonly upload_id?: string | null;
  readonly upload_job_id?: JobId | null;
}

export interface FileOwn {
  /** As an ingest has it. */
  readonly quotas?: Limits['quotas'];
  readonly upload_id: string;
  readonly etags: readonly string[];
}

export type FileJob = StoredJob<'branding_upload', FileOwn>;

/** Of pictures and videos alike; `contract/resources/branding-files.ts` tells them. */
export const FILE_LIMITS: MediaLimits = {
  max_bytes: 2 * 2 ** 30,
  max_duration_ms: 3 * 60_000,
  max_pixels: 7680 * 4320,
  max_side: 16_384,
  max_streams: 16,
};

/** DCI 4K and UHD-1, lying or upright. */
const VIDEO_PIXELS = 4096 * 2304;
/** Three minutes of 1080p at 60 frames a second: what is encoded in the time that a step has. */
const VIDEO_WORK_PIXELS = 1920 * 1080 * 60 * 180;
/** VP9 with alpha is two videos. */
const ALPHA_SHARE = 2;

/** Throws media_limit_exceeded for a video that would take too long to be brought into its form. */
export function requireFits(
  { width, height, frame_rate }: Pick<VideoStream, 'width' | 'height' | 'frame_rate'>,
  duration_ms: number,
  type: FileType,
): void {
  const pixels = width * height;
  if (pixels > VIDEO_PIXELS) {
    throw mediaLimitExceeded(
      `The video has ${width} × ${height} pixels; at most ${VIDEO_PIXELS} together are taken.`,
    );
  }
  const work = (pixels * Math.min(60, frame_rate?.value ?? 25) * duration_ms) / 1000;
  const most = VIDEO_WORK_PIXELS / (type === 'branding_overlays' ? ALPHA_SHARE : 1);
  if (work <= most) return;
  const seconds = Math.floor((duration_ms / 1000) * (most / work));
  throw mediaLimitExceeded(
    `The video of ${width} × ${height} pixels lasts ${duration_ms} ms; at that size and frame rate at most ${seconds} s are taken.`,
  );
}

/** What callers are told of the file: its size as it was sent, and how it looks. */
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
  type: FileType,
  file_id: string,
  own: FileOwn,
  now: Date,
): FileJob => ({
  ...queued(jobId, now),
  type: 'branding_upload',
  ...subjects[type](file_id),
  machine: 'BrandingUpload',
  input: { type, file_id },
  own,
});

/** Members that hold the id of a file, by its type. */
export const fileIdNames = { branding_overlays: 'overlay_id', branding_clips: 'clip_id' } as const;

const subjects = {
  branding_overlays: (overlay_id: string) => ({ overlay_id }),
  branding_clips: (clip_id: string) => ({ clip_id }),
} as const;
