/** Tiles pictures on sheets. */

import type { MediaTools } from '../ffmpeg/media-tools.ts';
import { ffmpegBytes, type RunOptions } from '../ffmpeg/run-ffmpeg.ts';
import { splitJpegs } from './split-jpegs.ts';

export interface Sheets {
  /** Width of one picture on a sheet, pixels. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

const JPEG_QUALITY = 5;

/** Returns sheets as JPEG. The last one may be partly empty. @param pictures JPEGs that this service made */
export async function tileSheets(
  tools: MediaTools,
  pictures: AsyncIterable<Buffer>,
  { width, height, columns, rows }: Sheets,
  options: RunOptions,
): Promise<Buffer[]> {
  const args = [
    ...['-protocol_whitelist', 'pipe', '-f', 'image2pipe', '-c:v', 'mjpeg'],
    ...['-framerate', '1', '-i', 'pipe:0'],
    ...['-vf', `scale=${width}:${height}:flags=area,setsar=1,tile=${columns}x${rows},format=yuvj420p`],
    ...['-c:v', 'mjpeg', '-q:v', String(JPEG_QUALITY), '-f', 'image2pipe', 'pipe:1'],
  ];
  return splitJpegs(await ffmpegBytes(tools, args, { ...options, input: pictures }));
}
