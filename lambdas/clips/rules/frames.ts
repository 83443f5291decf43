/** The frames of the media that a clip shows. */
import type { Rate } from '../../../media/rendering/render-plan.ts';
import type { VideoClip } from './clips.ts';

export interface FrameSpan {
  readonly start_frame: number;
  /** The first frame after the clip. */
  readonly end_frame: number;
}

type Times = Pick<VideoClip, 'start_ms' | 'end_ms' | 'start_frame' | 'end_frame'>;

/** The given frames, or those nearest to the times. At least one frame, and none after the end of the media. */
export function framesOf(
  clip: Times,
  media: { readonly frame_rate: Rate; readonly frames: number; readonly duration_ms: number | null },
): FrameSpan {
  const { num, den } = media.frame_rate;
  const near = (ms: number) => Math.round((ms * num) / (1000 * den));
  const reachesEnd = media.duration_ms !== null && clip.end_ms >= media.duration_ms;
  const first = clip.start_frame ?? near(clip.start_ms);
  const start_frame = Math.max(0, Math.min(first, media.frames - 1));
  const last = clip.end_frame ?? (reachesEnd ? media.frames : near(clip.end_ms));
  return { start_frame, end_frame: Math.min(media.frames, Math.max(start_frame + 1, last)) };
}

/** Start of a frame, ms from the start of the media. */
export const timeOf = (frame: number, { num, den }: Rate): number => Math.round((frame * 1000 * den) / num);
