/** The outcome of a clip in its state machine and in the items of its job. */
import type { JobFailure } from '../../../shared/assets.ts';
import type { JobItem } from '../../../shared/jobs.ts';

/** A rendered clip. */
export interface RenderedClip {
  readonly video_clip_id: string;
  /** Part of its object keys. */
  readonly file: string;
  /** Number of chunks that this job rendered, and that it reused. */
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

/** A temporary download URL. */
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
