/** A clip as callers see it. */
import type { Static } from 'typebox';
import type { Frozen } from '../../../contract/kit/operation.ts';
import type * as contract from '../../../contract/resources/clips.ts';
import { statusOf, type VideoClip } from './clips.ts';

export type ClipView = Frozen<Static<typeof contract.VideoClip>>;

export interface Around {
  /** Hash of the current materials of the clip. */
  readonly made_of: string | null;
  readonly thumbnail_url: string | null;
}

export function clipView(clip: VideoClip, { made_of, thumbnail_url }: Around): ClipView {
  const { render = null, progress = 0, job_id = null } = clip;
  const status = statusOf(clip);
  return {
    video_clip_id: clip.video_clip_id,
    asset_id: clip.asset_id,
    status,
    progress: status === 'ready' ? 1 : status === 'rendering' ? progress : 0,
    job_id,
    start_ms: clip.start_ms,
    end_ms: clip.end_ms,
    start_frame: clip.start_frame,
    end_frame: clip.end_frame,
    aspect_ratio_x: clip.aspect_ratio_x,
    aspect_ratio_y: clip.aspect_ratio_y,
    autoframing: clip.autoframing,
    branding_id: clip.branding_id,
    subtitles_language_id: clip.subtitles_language_id,
    with_sound_descriptions: clip.with_sound_descriptions,
    // While a clip is rendered again, the error of the previous rendering is hidden.
    error: status === 'failed' ? clip.error : null,
    rendered_at: render?.rendered_at ?? null,
    stale: render !== null && render.made_of !== made_of,
    notes: (render?.notes ?? []).map(({ code, detail }) => ({ code, detail })),
    size_bytes: render?.size_bytes ?? null,
    width: render?.width ?? null,
    height: render?.height ?? null,
    duration_ms: render?.duration_ms ?? null,
    frame_count: render?.frame_count ?? null,
    thumbnail_url,
    created_at: clip.created_at,
    updated_at: clip.updated_at,
  };
}
