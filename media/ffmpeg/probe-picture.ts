/** Recognizes pictures, and reads their size before decoding. */

import { itemAt } from '../../shared/checked-access.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../shared/job-errors.ts';
import { pictures } from './allowed-formats.ts';
import { runFfprobe } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';
import { sniffMedia } from './sniff-format.ts';

const kinds = new Set(['a PNG image', 'a JPEG image', 'a WebP image', 'a GIF image']);
const TIMEOUT_MS = 60_000;

export async function isPicture(media: OpenMedia): Promise<boolean> {
  return kinds.has((await sniffMedia(media)) ?? '');
}

/** Returns the size in pixels, before the Exif rotation. Throws media_unreadable or media_limit_exceeded. */
export async function probePicture(
  tools: MediaTools,
  media: OpenMedia,
  max_pixels: number,
  signal?: AbortSignal,
): Promise<{ width: number; height: number }> {
  if (await isMovingWebp(media)) {
    throw mediaUnreadable(
      'The file is an animated WebP picture, which is not supported. Upload a GIF or APNG, or a video: WebM (VP9) keeps transparency.',
    );
  }
  const options = { timeout_ms: TIMEOUT_MS, media, signal, formats: pictures };
  const { streams = [] } = await runFfprobe(tools, ['-show_streams'], options);
  const { width = 0, height = 0 } = streams[0] ?? {};
  if (width === 0 || height === 0) throw mediaUnreadable('The picture has no size. Export it again.');
  if (width * height > max_pixels) {
    throw mediaLimitExceeded(
      `The picture has ${width * height} pixels; at most ${max_pixels} are processed.`,
    );
  }
  return { width, height };
}

/** Whether a WebP is animated, by the flags of its extended header (RFC 9649 §2.7). The decoder of ffmpeg 5.1 skips animated pictures. */
async function isMovingWebp({ read }: Pick<OpenMedia, 'read'>): Promise<boolean> {
  const head = Buffer.from(await read(0, 20));
  const isExtended = /^RIFF.{4}WEBPVP8X/s.test(head.toString('latin1'));
  return isExtended && head.length > 20 && (itemAt(head, 20) & ANIMATION) !== 0;
}

const ANIMATION = 0x02;
