/** Where reading of a source begins, so that all that a frame is made of is read. */
import { isMpegStream } from '../ffmpeg/extract-sound.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { RenderSource } from './render-plan.ts';

/** Containers that list their key frames: a seek finds the one before. */
const indexed = new Set(['mp4', 'mov', 'matroska,webm', 'matroska']);
/** In others a seek comes out somewhere before, perhaps behind the key frame: as far apart as these are in broadcasts and streams. */
const LEAD_S = 10;

/** When a frame begins, seconds on the timeline of the media. */
export const timeOf = ({ frame_rate: { num, den }, phase_us }: RenderSource, frame: number): number =>
  (frame * den) / num + phase_us / 1e6;

/** Where to seek, and how much later the frame begins. It may begin a little before the media do. */
export function seekPosition(
  source: RenderSource,
  frame: number,
): { readonly seek_s: number; readonly lead_s: number } {
  const at = timeOf(source, frame);
  const seek_s = Math.max(0, Math.round((at - (indexed.has(source.container) ? 0 : LEAD_S)) * 1e6) / 1e6);
  return { seek_s, lead_s: Math.round((at - seek_s) * 1e6) / 1e6 };
}

/**
 * MPEG's streams count their time from the first of the streams that are read (see media/ffmpeg/extract-sound.ts): the sound is read as
 * well, and thrown away.
 */
export const soundToo = async (media: OpenMedia): Promise<string[]> =>
  (await isMpegStream(media)) ? ['-map', '0:a?', '-c:a', 'copy', '-f', 'null', '-'] : [];
