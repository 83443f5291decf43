/** How a clip of a job ended, as its machine hands it on, and as jobs tell it. */
import type { JobFailure } from '../../../shared/assets.ts';
import type { JobItem } from '../../../shared/jobs.ts';

/** A clip whose file is there. */
export interface RenderedClip {
  readonly video_clip_id: string;
  /** Names its objects. */
  readonly file: string;
  /** Chunks that this job had rendered, and those that were there. */
  readonly rendered: number;
  readonly reused: number;
}

export type ClipOutcome =
  | RenderedClip
  | {
      readonly video_clip_id: string;
      readonly failure: { readonly Error?: string; readonly Cause?: string };
    };

export const isRendered = (end: ClipOutcome): end is RenderedClip => !('failure' in end);

/** Where a file is fetched, and until when. */
export interface Address {
  readonly url: string;
  readonly expires_at: string;
}

export const succeededItem = (
  { video_clip_id, rendered, reused }: RenderedClip,
  address: Address,
): JobItem<'clips'> => ({
  video_clip_id,
  status: 'succeeded',
  progress: 1,
  error: null,
  result: { ...address, rendered, reused },
});

export const failedItem = (video_clip_id: string, error: JobFailure): JobItem<'clips'> => ({
  video_clip_id,
  status: 'failed',
  progress: 0,
  error,
  result: null,
});
