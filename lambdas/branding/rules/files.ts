/** Files of a branding: what they may be, and the job that finds out. */

import type { JobFailure } from '../../../platform/shared/assets.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../../platform/shared/job-errors.ts';
import { type Job, queuedJob } from '../../../platform/shared/jobs.ts';
import type { MediaInfo, MediaLimits } from '../../../platform/shared/media.ts';

export type FileType = 'branding_overlays' | 'branding_clips';

export interface FileFacts {
  readonly media_type: 'image' | 'video';
  readonly size_bytes: number;
  readonly width: number;
  readonly height: number;
  /** Null for a picture that stands still. */
  readonly duration_ms: number | null;
}

/** What an overlay or clip keeps beside what its creator gave. */
export interface FileState {
  readonly status: 'created' | 'uploading' | 'ready' | 'failed';
  readonly error: JobFailure | null;
  /** The multipart upload under way, and the job that completes it. */
  readonly upload_id?: string | null;
  readonly upload_job_id?: string | null;
}

export interface FileJob extends Omit<Job, 'type' | 'asset_id'> {
  readonly file_id: string;
  readonly upload_id: string;
  readonly etags: readonly string[];
}

/** They are read again for every clip that is rendered. */
export const MAX_FILE_BYTES = 2 * 2 ** 30;
export const FILE_LIMITS: MediaLimits = {
  max_duration_ms: 10 * 60_000,
  max_pixels: 7680 * 4320,
  max_streams: 16,
};

/** Facts of a video. Throws media_unreadable where there is nothing to see. */
export function videoFacts({ video, duration_ms, size_bytes }: MediaInfo): FileFacts {
  if (video === null) throw mediaUnreadable('The file has sound but no picture. Upload a video.');
  const { width, height } = video;
  return { media_type: 'video', size_bytes, width, height, duration_ms };
}

export function requirePictureWithin(width: number, height: number, { max_pixels }: MediaLimits): void {
  if (width * height <= max_pixels) return;
  throw mediaLimitExceeded(`The picture has ${width * height} pixels; at most ${max_pixels} are processed.`);
}

export function newFileJob(
  id: string,
  file: string,
  upload: { readonly upload_id: string; readonly etags: readonly string[] },
  now: Date,
): FileJob {
  return {
    ...queuedJob(id, now),
    file_id: file,
    ...upload,
  };
}

/** Members that hold the id of a file, by its type. */
export const fileIdNames = { branding_overlays: 'overlay_id', branding_clips: 'clip_id' } as const;

/** The job as callers see it; it also has the id of its file, under the name that the file's type has. */
export type FileJobView = Omit<FileJob, 'file_id' | 'upload_id' | 'etags'> & {
  readonly type: 'branding_upload';
};

export function fileJobView(type: FileType, job: FileJob): FileJobView {
  const { job_id, file_id, status, progress, result, error, created_at, started_at, finished_at } = job;
  const state = { status, progress, items: [], result, error, created_at, started_at, finished_at };
  return { job_id, type: 'branding_upload' as const, [fileIdNames[type]]: file_id, ...state };
}
