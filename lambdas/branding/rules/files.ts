/** Files of a branding: what they may be, and the job that finds out. */

import type { JobFailure } from '../../../platform/shared/assets.ts';
import type { JobId } from '../../../platform/shared/ids.ts';
import { mediaUnreadable } from '../../../platform/shared/job-errors.ts';
import { type JobResult, queued, type StoredJob } from '../../../platform/shared/jobs.ts';
import type { MediaInfo, MediaLimits } from '../../../platform/shared/media.ts';

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
  readonly upload_id: string;
  readonly etags: readonly string[];
}

export type FileJob = StoredJob<'branding_upload', FileOwn>;

/** They are read again for every clip that is rendered. */
export const FILE_LIMITS: MediaLimits = {
  max_bytes: 2 * 2 ** 30,
  max_duration_ms: 10 * 60_000,
  max_pixels: 7680 * 4320,
  max_side: 16_384,
  max_streams: 16,
};

/** Facts of a video. Throws media_unreadable where there is nothing to see. */
export function videoFacts({ video, duration_ms, size_bytes }: MediaInfo): FileFacts {
  if (video === null) throw mediaUnreadable('The file has sound but no picture. Upload a video.');
  const { width, height } = video;
  return { media_type: 'video', size_bytes, width, height, duration_ms };
}

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
