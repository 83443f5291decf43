/** Captures one picture of a video, to show the video in lists. */
import { mediaUnreadable } from '../../shared/job-errors.ts';
import { ffmpegBytes, openSafely } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

const TIMEOUT_MS = 60_000;
/** The length of the longer side, pixels. Larger pictures are scaled down, because a list shows many pictures. */
const MOST_PIXELS = 1280;
/** The quality of mjpeg, from 2 (best) to 31 (`-q:v`). Viewers see no difference from the video. */
const QUALITY = '3';

/** Returns a JPEG of the frame at `at_ms`. Its longer side has at most 1280 pixels. Throws a JobError if the video has no frame there. */
export async function captureStill(
  tools: MediaTools,
  media: OpenMedia,
  {
    at_ms,
    is_upright = false,
  }: {
    readonly at_ms: number /** True if the frames are upright, even if the file names a rotation. */;
    readonly is_upright?: boolean;
  },
  signal?: AbortSignal,
): Promise<Buffer> {
  const scale = `scale=w='min(${MOST_PIXELS},iw)':h='min(${MOST_PIXELS},ih)':force_original_aspect_ratio=decrease`;
  const args = [
    ...(is_upright ? ['-noautorotate'] : []),
    ...['-ss', String(at_ms / 1000), ...openSafely(media)],
    ...['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-q:v', QUALITY, '-pix_fmt', 'yuvj420p'],
    ...['-f', 'mjpeg', 'pipe:1'],
  ];
  const jpeg = await ffmpegBytes(tools, args, { timeout_ms: TIMEOUT_MS, media, signal });
  if (jpeg.length === 0) throw mediaUnreadable('The video has no picture at that time.');
  return jpeg;
}
