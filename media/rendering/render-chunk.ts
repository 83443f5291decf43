/** Renders the picture of one chunk of a clip to a file. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../shared/checked-access.ts';
import { internalError, mediaUnreadable } from '../../shared/job-errors.ts';
import { containers, pictures } from '../ffmpeg/allowed-formats.ts';
import { writeLocalFile } from '../ffmpeg/local-file.ts';
import { openSafely, runWithProgress } from '../ffmpeg/run-ffmpeg.ts';
import { installFonts } from './install-fonts.ts';
import { brandingFilters, overlayFilters, sourceFilters } from './picture-filters.ts';
import { groupOf } from './plan-render.ts';
import type { RenderedPart, RenderIo } from './render-io.ts';
import type { Chunk, RenderPlan } from './render-plan.ts';
import { seekPosition, soundToo } from './seek-source.ts';

/** Time limit, ms. It is shorter than the step's limit of 15 minutes, so that the job gets the error of this limit. */
const TIMEOUT_MS = 840_000;
/** The memory limit, bytes. UHD in HDR needs 1.4 GiB, 1080p needs 0.3 GiB. The step itself needs about 300 MB of its 3 GB. */
const MEMORY_BYTES = 2.4 * 2 ** 30;
/** The maximum file size, bytes. It is below the 4 GiB of the step's `/tmp`, and no chunk of UHD reaches it. */
const MOST_BYTES = 3 * 2 ** 30;
/** The threads of decoder and encoder. Every machine uses this number, because the bytes of the encoder depend on it. */
const THREADS = 2;
/** Constant quality (CRF) and preset. Viewers see no difference from the source. One processor encodes two seconds of video a second. */
const QUALITY = 20;
const PRESET = 'veryfast';

export async function renderChunk(plan: RenderPlan, at: number, io: RenderIo): Promise<RenderedPart> {
  const chunk = plan.chunks[at];
  if (chunk?.how !== 'encode') throw internalError(`Chunk ${at} must not be encoded.`);
  const path = join(io.folder, `chunk-${at}.mp4`);
  const { args, environment, media } =
    chunk.part === 'clip' ? await clipArguments(plan, chunk, io) : brandingArguments(plan, chunk, io);
  const frames = chunk.end_frame - chunk.start_frame;
  const all = [
    ...args,
    ...['-map', '[picture]', '-frames:v', String(frames), ...encoder(plan)],
    ...['-progress', 'pipe:1', '-stats_period', '0.5', ...writeLocalFile(path, 'mp4')],
    ...(chunk.part === 'clip' ? await soundToo(io.source) : []),
  ];
  const running = { timeout_ms: TIMEOUT_MS, memory_bytes: MEMORY_BYTES, file_bytes: MOST_BYTES };
  const options = { ...running, environment, media, signal: io.signal };
  const made = await runWithProgress(io.tools, all, options, (done) => io.reached?.(done.frames));
  // The last picture is repeated until the end of the chunk. So if there are fewer frames, no picture could be decoded.
  if (made.frames < frames) {
    throw mediaUnreadable('That part of the media has no picture. Export the media again.');
  }
  return { path, bytes: (await stat(path)).size };
}

type Arguments = {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly media: RenderIo['source'];
};

async function clipArguments(plan: RenderPlan, chunk: Chunk, io: RenderIo): Promise<Arguments> {
  const { source, overlay, subtitles } = plan;
  const first = chunk.start_frame - plan.start_frame;
  const { seek_s, lead_s } = seekPosition(source, chunk.start_frame);
  const fileOf = (name: string) => join(io.folder, name);
  const { chain, files } = sourceFilters(plan, chunk, lead_s, (name) => filterValue(fileOf(name)));
  for (const [name, text] of files) await writeFile(fileOf(name), text);
  const burned = subtitles === null ? null : await burning(subtitles, io.folder);
  const isLaidOver = overlay !== null && io.overlay !== undefined;
  const graph = [
    `[0:v:0]${chain.join()}[${isLaidOver ? 'below' : 'whole'}]`,
    ...(isLaidOver
      ? [
          `[1:v:0]${overlayFilters(plan, first).join()}[above]`,
          '[below][above]overlay=(W-w)/2:(H-h)/2:format=yuv420:eof_action=repeat[whole]',
        ]
      : []),
    `[whole]${[...(burned?.filters ?? []), `setpts=PTS-${first}`].join()}[picture]`,
  ];
  const args = [
    ...['-noautorotate', '-noaccurate_seek', '-threads', String(THREADS)],
    ...(seek_s > 0 ? ['-ss', seek_s.toFixed(6)] : []),
    ...openSafely(io.source),
    ...(isLaidOver ? overlayInput(overlay, defined(io.overlay)) : []),
    ...['-filter_complex', graph.join(';')],
  ];
  return { args, media: io.source, ...(burned && { environment: burned.environment }) };
}

function brandingArguments(plan: RenderPlan, { part, end_frame }: Chunk, io: RenderIo): Arguments {
  const media = part === 'intro' ? io.intro : io.outro;
  if (media === undefined) throw internalError(`The ${part} is not opened.`);
  const graph = `[0:v:0]${brandingFilters(plan, end_frame).join()}[picture]`;
  const args = ['-threads', String(THREADS), ...openSafely(media), '-filter_complex', graph];
  return { args, media };
}

/** Returns the decoder and the input of the overlay. ffmpeg's own decoder of VP9 ignores the alpha channel, so another one is used. */
function overlayInput(overlay: NonNullable<RenderPlan['overlay']>, media: RenderIo['source']): string[] {
  if (overlay.duration_ms === null) return openSafely(media, pictures);
  const decoder = overlay.media_type === 'video/webm' ? ['-c:v', 'libvpx-vp9'] : [];
  return ['-stream_loop', '-1', ...decoder, ...openSafely(media, containers)];
}

async function burning(subtitles: NonNullable<RenderPlan['subtitles']>, folder: string) {
  const path = join(folder, 'subtitles.ass');
  await writeFile(path, subtitles.document);
  const { folder: fonts, environment } = await installFonts(subtitles.fonts, folder);
  return { filters: [`ass=filename=${filterValue(path)}:fontsdir=${filterValue(fonts)}`], environment };
}

/** Transfer functions that ffmpeg's options name differently than ffprobe (PAL and NTSC, on DVD and DV). */
const byOption: Readonly<Record<string, string>> = { bt470m: 'gamma22', bt470bg: 'gamma28' };

/** Returns the options of the encoder. They are the same for all parts of a clip, because the parts share one track description. */
function encoder({ output }: RenderPlan): string[] {
  const { colour, frame_rate } = output;
  const group = String(groupOf(frame_rate));
  return [
    ...['-c:v', 'libx264', '-preset', PRESET, '-crf', String(QUALITY), '-profile:v', 'high'],
    ...['-pix_fmt', 'yuv420p', '-g', group, '-bf', '2', '-threads', String(THREADS)],
    ...['-x264-params', 'open-gop=0'],
    ...['-color_primaries', colour.primaries, '-color_trc', byOption[colour.transfer] ?? colour.transfer],
    ...['-colorspace', colour.matrix, '-color_range', 'tv'],
    ...['-fps_mode', 'passthrough', '-video_track_timescale', String(frame_rate.num)],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-write_btrt', '0'],
  ];
}

/** Escapes a path as the value of an option. Twice, because ffmpeg parses it twice ("Notes on filtergraph escaping"). */
export function filterValue(text: string): string {
  const asOption = text.replace(/[\\':]/g, '\\$&');
  return asOption.replace(/[\\'[\],;]/g, '\\$&');
}
