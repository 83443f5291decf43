/** Tells pictures from other files, and how large they are before they are decoded. */
import { mediaLimitExceeded, mediaUnreadable } from '../../platform/shared/job-errors.ts';
import { pictures } from './allowed.ts';
import { runFfprobe } from './ffmpeg.ts';
import type { MediaTools } from './port.ts';
import type { OpenMedia } from './range-reader.ts';
import { sniffMedia } from './sniff.ts';

const kinds = new Set(['a PNG image', 'a JPEG image', 'a WebP image', 'a GIF image']);
const TIMEOUT_MS = 60_000;

/** Whether it begins as a picture of a kind that can be laid over a video. */
export async function isPicture(media: OpenMedia): Promise<boolean> {
  return kinds.has((await sniffMedia(media)) ?? '');
}

/** Pixels, before it is turned by its Exif. Throws media_unreadable for what says none, media_limit_exceeded for too many. */
export async function probePicture(
  tools: MediaTools,
  media: OpenMedia,
  max_pixels: number,
  signal?: AbortSignal,
): Promise<{ width: number; height: number }> {
  const options = { timeout_ms: TIMEOUT_MS, media, signal };
  const { streams = [] } = (await runFfprobe(tools, ['-show_streams'], {
    ...options,
    formats: pictures,
  })) as {
    streams?: { width?: number; height?: number }[];
  };
  const { width = 0, height = 0 } = streams[0] ?? {};
  if (width === 0 || height === 0) throw mediaUnreadable('The picture has no size. Export it again.');
  if (width * height > max_pixels) {
    throw mediaLimitExceeded(
      `The picture has ${width * height} pixels; at most ${max_pixels} are processed.`,
    );
  }
  return { width, height };
}
