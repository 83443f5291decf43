/** Crops a face from a picture, with space around it. People see the crop, and engines compare it. */
import { Readable } from 'node:stream';
import type { Box } from '../../shared/boxes.ts';
import { ffmpegBytes } from '../ffmpeg/run-ffmpeg.ts';
import type { MediaTools } from '../ffmpeg/serve-ranges.ts';
import type { Picture } from './picture.ts';

const ROOM = 1.8;
/** The side of the crop in pixels: enough for engines, and small enough for a list of faces. */
const SIZE = 240;
const TIMEOUT_MS = 30_000;

/** Returns a JPEG of 240 × 240 pixels. Areas beyond the edges of the picture are gray. Throws a JobError, or the signal's reason. */
export async function cropFace(
  tools: MediaTools,
  { jpeg, width, height }: Picture,
  box: Box,
  signal?: AbortSignal,
): Promise<Buffer> {
  const side = Math.ceil(ROOM * Math.max(box.width * width, box.height * height));
  const left = Math.round((box.x + box.width / 2) * width - side / 2);
  const top = Math.round((box.y + box.height / 2) * height - side / 2);
  const edges = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(width, left + side),
    bottom: Math.min(height, top + side),
  };
  const size = `${Math.max(1, edges.right - edges.left)}:${Math.max(1, edges.bottom - edges.top)}`;
  const filters = [
    `crop=${size}:${edges.left}:${edges.top}:exact=1`,
    `scale=${SIZE}:${SIZE}:force_original_aspect_ratio=decrease:flags=area`,
    `pad=${SIZE}:${SIZE}:-1:-1:gray`,
  ];
  const args = [
    ...['-protocol_whitelist', 'pipe', '-f', 'jpeg_pipe', '-i', 'pipe:0', '-vf', filters.join(',')],
    ...['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '4', '-threads', '1', '-f', 'mjpeg', 'pipe:1'],
  ];
  return ffmpegBytes(tools, args, { timeout_ms: TIMEOUT_MS, input: Readable.from([jpeg]), signal });
}
