/** Finds the position from which a source must be read to decode a frame. */
import { isMpegStream } from '../ffmpeg/extract-sound.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { RenderSource } from './render-plan.ts';

/** Containers that list their key frames. In these, a seek finds the previous key frame. */
const indexed = new Set(['mp4', 'mov', 'matroska,webm', 'matroska']);
/** In other containers, a seek may miss the key frame, so it goes back this much: the most between key frames of broadcasts. */
const LEAD_S = 10;

/** Returns the start of a frame, in seconds on the timeline of the media. */
export const timeOf = ({ frame_rate: { num, den }, phase_us }: RenderSource, frame: number): number =>
  (frame * den) / num + phase_us / 1e6;

/** Returns the position, and the time `lead_s` from the position to the start of the frame. It may be slightly below 0. */
export function seekPosition(source: RenderSource, frame: number) {
  const at = timeOf(source, frame);
  const seek_s = Math.max(0, Math.round((at - (indexed.has(source.container) ? 0 : LEAD_S)) * 1e6) / 1e6);
  return { seek_s, lead_s: Math.round((at - seek_s) * 1e6) / 1e6 };
}

/** Returns arguments that also read the sound of MPEG streams, and drop it. See `pictureToo` in media/ffmpeg/extract-sound.ts. */
export const soundToo = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:a?', '-c:a', 'copy', '-f', 'null', '-'] : [];
