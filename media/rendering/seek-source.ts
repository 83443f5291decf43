/** Finds the position at which to start reading a source, so that a frame can be decoded. */
import { isMpegStream } from '../ffmpeg/extract-sound.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { RenderSource } from './render-plan.ts';

/** Containers with a list of their key frames. A seek in these finds the previous key frame. */
const indexed = new Set(['mp4', 'mov', 'matroska,webm', 'matroska']);
/** In other containers, a seek may miss the key frame. So the seek goes back by the maximum time between key frames of broadcasts. */
const LEAD_S = 10;

/** Returns the start of a frame, in seconds on the timeline of the media. */
export const timeOf = ({ frame_rate: { num, den }, phase_us }: RenderSource, frame: number): number =>
  (frame * den) / num + phase_us / 1e6;

/** Returns the position of the seek, and the time `lead_s` from there to the start of the frame, which may be slightly below 0. */
export function seekPosition(source: RenderSource, frame: number) {
  const at = timeOf(source, frame);
  const seek_s = Math.max(0, Math.round((at - (indexed.has(source.container) ? 0 : LEAD_S)) * 1e6) / 1e6);
  return { seek_s, lead_s: Math.round((at - seek_s) * 1e6) / 1e6 };
}

/** Returns arguments that also read the sound of MPEG streams, without using it. See `pictureToo` in media/ffmpeg/extract-sound.ts. */
export const soundToo = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:a?', '-c:a', 'copy', '-f', 'null', '-'] : [];
