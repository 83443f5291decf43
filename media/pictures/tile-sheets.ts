/** Puts pictures side by side on sheets. */
import type { Size } from '../../shared/boxes.ts';
import { ffmpegBytes, type RunOptions } from '../ffmpeg/run-ffmpeg.ts';
import type { MediaTools } from '../ffmpeg/serve-ranges.ts';

/** `width` and `height` are those of one picture on a sheet, pixels. */
export interface Sheets extends Size {
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

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END = Buffer.from([0xff, 0xd9]);

/** Splits joined JPEGs at their end markers. Picture data has no end markers: after 0xff, there is only 0 or a restart marker (ITU-T T.81 §B.1.1). */
function splitJpegs(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = bytes.indexOf(START); start >= 0; ) {
    const end = bytes.indexOf(END, start);
    if (end < 0) break;
    found.push(bytes.subarray(start, end + END.length));
    start = bytes.indexOf(START, end);
  }
  return found;
}
