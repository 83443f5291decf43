/** Returns the gray pictures of a test video, as the motion analyses receive them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GreyPicture } from '../../../media/pictures/picture.ts';
import type { TestVideo } from '../test-videos.ts';

const execute = promisify(execFile);

const SIDE = 160;

/** Every `step`-th frame, 160 pixels on its longer side. Default: about five frames per second. */
export async function greyPictures(
  { file, width, height, frame_rate }: Pick<TestVideo, 'file' | 'width' | 'height' | 'frame_rate'>,
  step = Math.max(1, Math.round(frame_rate / 5)),
): Promise<GreyPicture[]> {
  const scale = SIDE / Math.max(width, height);
  const size = { width: 2 * Math.round((width * scale) / 2), height: 2 * Math.round((height * scale) / 2) };
  const { stdout } = await execute(
    'ffmpeg',
    [
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-i', file],
      ...['-vf', `select='not(mod(n,${step}))',scale=${size.width}:${size.height}:flags=area,format=gray`],
      ...['-vsync', 'passthrough', '-f', 'rawvideo', '-'],
    ],
    { encoding: 'buffer', maxBuffer: 1 << 30 },
  );
  const bytes = size.width * size.height;
  return Array.from({ length: stdout.length / bytes }, (_, at) => ({
    at_ms: Math.round((at * step * 1000) / frame_rate),
    ...size,
    luma: new Uint8Array(stdout.subarray(at * bytes, (at + 1) * bytes)),
  }));
}
