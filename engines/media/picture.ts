/** Reads an uploaded picture: its size as displayed, and that it can be decoded. */
import { mediaUnreadable } from '../../platform/shared/job-errors.ts';
import { openSafely, runFfmpeg, runFfprobe } from './ffmpeg.ts';
import type { MediaTools } from './port.ts';
import { sniffFile } from './sniff.ts';

/** Demuxers of single pictures; that of image sequences, which opens other files, is left out. */
const pictures = 'png_pipe,jpeg_pipe,webp_pipe,gif';
const kinds = new Set(['a PNG image', 'a JPEG image', 'a WebP image', 'a GIF image']);
const TIMEOUT_MS = 60_000;

/** Whether the file begins as a picture of a kind that can be laid over a video. */
export async function isPicture(file: string): Promise<boolean> {
  return kinds.has((await sniffFile(file)) ?? '');
}

/** Pixels. Throws media_unreadable for what does not decode. */
export async function probePicture(
  tools: MediaTools,
  file: string,
  signal?: AbortSignal,
): Promise<{ width: number; height: number }> {
  const options = { timeout_ms: TIMEOUT_MS, formats: pictures, signal };
  const { streams = [] } = (await runFfprobe(tools, file, ['-show_streams'], options)) as {
    streams?: { width?: number; height?: number }[];
  };
  const { width = 0, height = 0 } = streams[0] ?? {};
  if (width === 0 || height === 0) throw mediaUnreadable('The picture has no size. Export it again.');
  await decode(tools, file, signal);
  return { width, height };
}

function decode(tools: MediaTools, file: string, signal: AbortSignal | undefined): Promise<void> {
  const firstFrame = ['-xerror', '-err_detect', 'explode', ...openSafely(file, pictures), '-frames:v', '1'];
  return runFfmpeg(tools, [...firstFrame, '-f', 'null', '-'], { timeout_ms: TIMEOUT_MS, signal });
}
