/** Finds the position to start reading a source, so that everything that a frame depends on is read. */
import { isMpegStream } from '../ffmpeg/extract-sound.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { RenderSource } from './render-plan.ts';

/** Containers that list their key frames. In these, a seek finds the previous key frame. */
const indexed = new Set(['mp4', 'mov', 'matroska,webm', 'matroska']);
/**
 * In other containers, a seek may end after the key frame. So seeking starts this much earlier. Key frames of
 * broadcasts are at most this far apart.
 */
const LEAD_S = 10;

/** The start of a frame, in seconds on the timeline of the media. */
export const timeOf = ({ frame_rate: { num, den }, phase_us }: RenderSource, frame: number): number =>
  (frame * den) / num + phase_us / 1e6;

/**
 * Returns the position to seek to, and the time from there to the start of the frame. A frame may begin slightly before
 * the media.
 */
export function seekPosition(
  source: RenderSource,
  frame: number,
): { readonly seek_s: number; readonly lead_s: number } {
  const at = timeOf(source, frame);
  const seek_s = Math.max(0, Math.round((at - (indexed.has(source.container) ? 0 : LEAD_S)) * 1e6) / 1e6);
  return { seek_s, lead_s: Math.round((at - seek_s) * 1e6) / 1e6 };
}

/** Arguments that also read the sound of MPEG streams and drop it. The reason is in `pictureToo` of media/ffmpeg/extract-sound.ts. */
export const soundToo = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:a?', '-c:a', 'copy', '-f', 'null', '-'] : [];
