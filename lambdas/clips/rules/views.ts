/** A clip as callers see it. */
import type { Static } from 'typebox';
import type { Frozen } from '../../../contract/kit/operation.ts';
import type * as contract from '../../../contract/resources/clips.ts';
import { statusOf, type VideoClip } from './clips.ts';

type ClipView = Frozen<Static<typeof contract.VideoClip>>;

/** What is known of a clip beside its item. */
export interface Around {
  /** What its file would be made of now. */
  readonly made_of: string | null;
  readonly thumbnail_url: string | null;
}

export function clipView(clip: VideoClip, { made_of, thumbnail_url }: Around): ClipView {
  const { version: _, pending: __, claim: ___, render = null, progress = 0, job_id = null, ...given } = clip;
  const { created_at, updated_at, error, video_clip_id, asset_id, ...asked } = given;
  const status = statusOf(clip);
  return {
    video_clip_id,
    asset_id,
    ...asked,
    status,
    progress: status === 'ready' ? 1 : status === 'rendering' ? progress : 0,
    job_id,
    // While it is tried again, what was wrong the last time says nothing.
    error: status === 'failed' ? error : null,
    rendered_at: render?.rendered_at ?? null,
    stale: render !== null && render.made_of !== made_of,
    notes: render?.notes ?? [],
    size_bytes: render?.size_bytes ?? null,
    width: render?.width ?? null,
    height: render?.height ?? null,
    duration_ms: render?.duration_ms ?? null,
    frame_count: render?.frame_count ?? null,
    thumbnail_url,
    created_at,
    updated_at,
  };
}
