/** Renders clips of files for tests, and decodes the results. */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { OpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { inspectSource } from '../../../media/rendering/inspect-source.ts';
import { joinClip } from '../../../media/rendering/join-clip.ts';
import { outputOf, planRender } from '../../../media/rendering/plan-render.ts';
import { renderChunk } from '../../../media/rendering/render-chunk.ts';
import type {
  Chunk,
  RenderedFile,
  RenderPlan,
  RenderRequest,
  RenderSource,
} from '../../../media/rendering/render-plan.ts';
import { renderSound } from '../../../media/rendering/render-sound.ts';
import type { RangeSource } from '../../../shared/media.ts';
import { fixturePath, opened, tools } from '../../fixtures/media.ts';

const execute = promisify(execFile);

export async function sourceOf(path: string): Promise<RangeSource> {
  const bytes = await readFile(path);
  return { size: bytes.length, read: async (first, last) => bytes.subarray(first, last + 1) };
}

/** The part of a plan that a test sets, besides the frames. Everything else gets a default. */
type Wish = Partial<Omit<RenderRequest, 'source' | 'output'>> & {
  readonly aspect?: { readonly x: number; readonly y: number };
  /** Frames in a chunk. Default: as planned. */
  readonly chunk?: number;
  readonly files?: { readonly overlay?: string; readonly intro?: string; readonly outro?: string };
  readonly with?: (source: RenderSource) => Partial<Omit<RenderRequest, 'source' | 'output'>>;
};

interface Rendered {
  readonly file: string;
  readonly plan: RenderPlan;
}

export const look = (file: string): Promise<RenderSource> =>
  opened(file, (media) => inspectSource(tools, media, { audio_track: 1 }));

/** The plan of a clip. Default: the whole source, without framing, subtitles and branding. */
export const planned = (source: RenderSource, request: Partial<RenderRequest>): RenderPlan =>
  planRender({
    ...{ source, start_frame: 0, end_frame: source.frames, output: outputOf(source, null), framing: null },
    ...{ subtitles: null, overlay: null, intro: null, outro: null, loudness: 'kept', ...request },
  });

let count = 0;

/** Renders a clip of a file as the steps do: the chunks, then the sound, then the joined clip. */
export function render(file: string, wish: Wish): Promise<Rendered> {
  const { files = {}, aspect, chunk, with: more, ...request } = wish;
  const withMedia = async (media: OpenMedia): Promise<Rendered> => {
    const source = await inspectSource(tools, media, { audio_track: 1 });
    const whole = planned(source, {
      output: outputOf(source, aspect ?? null),
      ...request,
      ...more?.(source),
    });
    const plan = chunk === undefined ? whole : { ...whole, chunks: whole.chunks.flatMap(cut(chunk)) };
    count += 1;
    const folder = fixturePath(`render-${count}`);
    await mkdir(folder);
    const others = await openAll(files);
    const io = { tools, source: media, folder, ...others.media };
    const chunks: RangeSource[] = [];
    for (const [at, { how }] of plan.chunks.entries()) {
      chunks.push(await sourceOf(how === 'copy' ? file : (await renderChunk(plan, at, io)).path));
    }
    const sound = await renderSound(plan, io);
    const parts = { chunks, sound: sound && (await sourceOf(sound.path)) };
    const joined = await joinClip(plan, parts);
    const path = fixturePath(`clip-${count}.mp4`);
    await pipeline(joined.bytes, createWriteStream(path));
    others.close();
    return { file: path, plan };
  };
  return opened(file, withMedia);
}

const cut =
  (frames: number) =>
  (chunk: Chunk): Chunk[] => {
    if (chunk.part !== 'clip') return [chunk];
    const count = Math.ceil((chunk.end_frame - chunk.start_frame) / frames);
    return Array.from({ length: count }, (_, at) => {
      const start_frame = chunk.start_frame + at * frames;
      return {
        ...chunk,
        how: 'encode',
        start_frame,
        end_frame: Math.min(start_frame + frames, chunk.end_frame),
      };
    });
  };

/** Opens the files of a branding, until the caller calls `close`. */
async function openAll(files: NonNullable<Wish['files']>) {
  const closed = Promise.withResolvers<void>();
  const media: Record<string, OpenMedia> = {};
  for (const [name, path] of Object.entries(files)) {
    const ready = Promise.withResolvers<OpenMedia>();
    opened(path, (one) => {
      ready.resolve(one);
      return closed.promise;
    }).catch(ready.reject);
    media[name] = await ready.promise;
  }
  return { media, close: () => closed.resolve() };
}

/** A branding's file with these facts. Its upload would determine them. */
export const branded = (facts: Partial<RenderedFile>): RenderedFile => ({
  ...{ key: 'a', media_type: 'video/mp4', width: 320, height: 180, duration_ms: 1000 },
  ...{ frame_rate: { num: 25, den: 1 }, has_audio: false, ...facts },
});

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly rgb: Buffer;
}

/** Frames of a file as a screen shows them, decoded by ffmpeg. @param size the frames are scaled to it */
export async function framesOf(
  file: string,
  numbers: readonly number[],
  size?: readonly [number, number],
): Promise<Frame[]> {
  const { width, height } = await pictureOf(file);
  const [w, h] = size ?? [width, height];
  const [first, last] = [numbers[0]!, numbers.at(-1)!];
  const isSpan = last - first === numbers.length - 1;
  const wanted = isSpan
    ? `between(n,${first},${last})`
    : numbers.map((number) => `eq(n,${number})`).join('+');
  const filters = `select='${wanted}',scale=${w}:${h}:flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24`;
  const args = ['-v', 'error', '-i', file, '-map', '0:v:0', '-vf', filters, '-fps_mode', 'passthrough'];
  const { stdout } = await execute('ffmpeg', [...args, '-f', 'rawvideo', '-'], {
    encoding: 'buffer',
    maxBuffer: 1 << 28,
  });
  return numbers.map((_, at) => ({
    width: w,
    height: h,
    rgb: stdout.subarray(at * w * h * 3, (at + 1) * w * h * 3),
  }));
}

interface PictureFacts {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly duration: number;
  readonly color_space: string;
  readonly color_range: string;
  readonly color_transfer: string;
  readonly sample_aspect_ratio: string;
}

export async function pictureOf(file: string): Promise<PictureFacts> {
  const args = ['-v', 'error', '-of', 'json', '-count_frames', '-select_streams', 'v', '-show_streams', file];
  const { stdout } = await execute('ffprobe', args);
  const [stream] = (
    JSON.parse(stdout) as { streams: [PictureFacts & { nb_read_frames: string; duration: string }] }
  ).streams;
  return { ...stream, frames: Number(stream.nb_read_frames), duration: Number(stream.duration) };
}

/** The similarity of two videos (PSNR), dB. Infinite if they are equal. */
export async function likeness(one: string, other: string): Promise<number> {
  const args = ['-hide_banner', '-i', one, '-i', other, '-lavfi', 'psnr', '-f', 'null', '-'];
  const { stderr } = await execute('ffmpeg', args);
  const [, decibels] = /PSNR .*min:(\S+)/.exec(stderr) ?? [];
  return decibels === 'inf' ? Number.POSITIVE_INFINITY : Number(decibels);
}
