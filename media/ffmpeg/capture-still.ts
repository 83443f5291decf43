/** One picture of a video, as those see it who choose what to play. */
import { mediaUnreadable } from '../../shared/job-errors.ts';
import type { MediaTools } from './media-tools.ts';
import { ffmpegOutput, openSafely } from './run-ffmpeg.ts';
import type { OpenMedia } from './serve-ranges.ts';

const TIMEOUT_MS = 60_000;
/** Larger ones are made smaller: a list shows many of them. */
const MOST_PIXELS = 1280;
/** Of mjpeg's 2 to 31: no flaw is seen beside the picture itself. */
const QUALITY = '3';

/** A JPEG of the frame that is shown at that time, ms, at most 1280 on its longer side. Throws a JobError where there is none. */
export async function stillOf(
  tools: MediaTools,
  media: OpenMedia,
  { at_ms }: { readonly at_ms: number },
  signal?: AbortSignal,
): Promise<Buffer> {
  const scale = `scale=w='min(${MOST_PIXELS},iw)':h='min(${MOST_PIXELS},ih)':force_original_aspect_ratio=decrease`;
  const args = [
    ...['-ss', String(at_ms / 1000), ...openSafely(media)],
    ...['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-q:v', QUALITY, '-pix_fmt', 'yuvj420p'],
    ...['-f', 'mjpeg', 'pipe:1'],
  ];
  const pieces: Buffer[] = [];
  for await (const piece of ffmpegOutput(tools, args, { timeout_ms: TIMEOUT_MS, media, signal }))
    pieces.push(piece);
  if (pieces.length === 0) throw mediaUnreadable('The video shows nothing at that time.');
  return Buffer.concat(pieces);
}
