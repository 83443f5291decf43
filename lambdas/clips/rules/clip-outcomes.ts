/** The outcome of a clip in its state machine. */
import type { StateError } from '../../../platform/jobs/job-failure.ts';

export interface RenderedClip {
  readonly video_clip_id: string;
  /** The id of the clip's file. It is part of the object keys. */
  readonly file: string;
  /** `rendered` is the number of chunks that this job rendered. `reused` is the number of stored chunks that it used again. */
  readonly rendered: number;
  readonly reused: number;
}

export type ClipOutcome = RenderedClip | { readonly video_clip_id: string; readonly failure: StateError };

export const isRendered = (end: ClipOutcome): end is RenderedClip => !('failure' in end);

export interface Address {
  readonly url: string;
  readonly expires_at: string;
}
