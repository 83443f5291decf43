/** Puts pictures side by side on sheets. */

import type { MediaTools } from '../ffmpeg/media-tools.ts';
import { ffmpegOutput, type RunOptions } from '../ffmpeg/run-ffmpeg.ts';
import { jpegsOf } from './split-jpegs.ts';

export interface Sheets {
  /** Pixels of one picture on a sheet. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

const JPEG_QUALITY = 5;

/** Sheets as JPEG, the last as far as there are pictures. @param pictures JPEGs of this service's own */
export async function sheetsOf(
  tools: MediaTools,
  pictures: AsyncIterable<Buffer>,
  { width, height, columns, rows }: Sheets,
  options: RunOptions,
): Promise<Buffer[]> {
  const args = [
    ...[
      '-protocol_whitelist',
      'pipe',
      '-f',
      'image2pipe',
      '-c:v',
      'mjpeg',
      '-framerate',
      '1',
      '-i',
      'pipe:0',
    ],
    ...['-vf', `scale=${width}:${height}:flags=area,setsar=1,tile=${columns}x${rows},format=yuvj420p`],
    ...['-c:v', 'mjpeg', '-q:v', String(JPEG_QUALITY), '-f', 'image2pipe', 'pipe:1'],
  ];
  const pieces: Buffer[] = [];
  for await (const piece of ffmpegOutput(tools, args, { ...options, input: pictures })) pieces.push(piece);
  return jpegsOf(Buffer.concat(pieces));
}
