/** Decodes a span of a video once, for all that looks at its pictures. */
import { isMpegStream } from '../ffmpeg/extract-sound.ts';
import type { MediaTools } from '../ffmpeg/media-tools.ts';
import { ffmpegOutput, openSafely, type RunOptions } from '../ffmpeg/run-ffmpeg.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { GreyPicture, Picture } from './picture.ts';
import { type PictureSizes, pictureSizes } from './picture-sizes.ts';
import { readPackets } from './read-matroska.ts';

/** Every frame, very small, for what compares frames. */
export interface Frame {
  readonly at_ms: number;
  /** Planes of Y, U and V; 4:2:0. */
  readonly planes: Uint8Array;
}

export interface Looking {
  /** Pixels of the video as it is displayed. */
  readonly width: number;
  readonly height: number;
  /** A picture is sampled at each multiple of it. */
  readonly sample_ms: number;
  /** From where frames are wanted; those before may come as well. */
  readonly from_ms: number;
  /** Whether frames that no other refers to may be left out, which is up to twice as fast. */
  readonly isSparse?: boolean;
}

/** What passes by, by time. Of a sample, `frame` is its place among the frames that have passed. */
export type Sight =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'grey'; readonly picture: GreyPicture }
  | { readonly kind: 'sample'; readonly picture: Picture };

/** How often a small grey picture is taken. */
export const GREY_MS = 200;
/**
 * How long before the wanted frames decoding begins. Containers with an index are sought by it; in a transport stream, a seek ends
 * anywhere, and decoders give whole frames from the next key frame on, which broadcasters and encoders place every .5 to 10 s.
 */
const LEAD_MS = 1000;
const STREAM_LEAD_MS = 11_000;
/** Of JPEG, 2 (best) to 31: no edges that a reader of text takes for strokes. */
const JPEG_QUALITY = 4;
/** Two make decoding as fast as a Lambda of 3 GB can; more would take memory alone. */
const THREADS = 2;

/**
 * The pictures of the first moving picture from `from_ms` to its end; whoever has enough stops listening. Throws as `ffmpegOutput`
 * does.
 */
export async function* decodePictures(
  tools: MediaTools,
  media: OpenMedia,
  looking: Looking,
  options: RunOptions,
): AsyncGenerator<Sight> {
  const sizes = pictureSizes(looking);
  const isStream = await isMpegStream(media);
  const start_ms = Math.max(0, looking.from_ms - (isStream ? STREAM_LEAD_MS : LEAD_MS));
  const args = [
    ...['-threads', String(THREADS), '-filter_complex_threads', '1'],
    ...['-copyts', '-start_at_zero', ...(start_ms > 0 ? ['-ss', String(start_ms / 1000)] : [])],
    ...(looking.isSparse ? ['-skip_frame', 'noref', '-skip_loop_filter', 'noref'] : []),
    ...[...openSafely(media), '-filter_complex', graphOf(sizes, looking.sample_ms)],
    ...['-map', '[frames]', '-map', '[grey]', '-map', '[samples]'],
    ...['-c:v:0', 'rawvideo', '-c:v:1', 'rawvideo', '-c:v:2', 'mjpeg', '-q:v:2', String(JPEG_QUALITY)],
    // Each frame with its own time, none twice and none dropped.
    ...['-vsync', 'passthrough', '-enc_time_base', '-1', '-map_metadata', '-1'],
    ...['-live', '1', '-f', 'matroska', 'pipe:1'],
    // Time counts from the first stream that is read: docs of `alsoPicture`, media/ffmpeg/extract-sound.ts.
    ...(isStream ? ['-map', '0:a?', '-c:a', 'copy', '-f', 'null', '-'] : []),
  ];
  let count = 0;
  const passed: Frame[] = [];
  for await (const { track, at_ms, data } of readPackets(ffmpegOutput(tools, args, { ...options, media }))) {
    if (track === 1) {
      const frame = { at_ms, planes: new Uint8Array(data) };
      count += 1;
      passed.push(frame);
      if (passed.length > KEPT) passed.shift();
      yield { kind: 'frame', frame };
    } else if (track === 2) {
      yield { kind: 'grey', picture: { at_ms, ...sizes.grey, luma: new Uint8Array(data) } };
    } else {
      const back = passed.length - 1 - passed.findLastIndex((frame) => frame.at_ms <= at_ms);
      const picture = { at_ms, frame: count - 1 - back, ...sizes.sample, jpeg: Buffer.from(data) };
      yield { kind: 'sample', picture };
    }
  }
}

/** A sample passes soon after its frame, which filters and muxer hold back differently. */
const KEPT = 300;

/** Fields are woven into frames for what is seen alone; compared frames are too small to show them. */
function graphOf({ frame, grey, sample }: PictureSizes, sample_ms: number): string {
  const every = (ms: number) => `select='isnan(prev_t)+gt(floor(t*1000/${ms}),floor(prev_t*1000/${ms}))'`;
  const scaled = ({ width, height }: { width: number; height: number }, how: string) =>
    `scale=${width}:${height}:flags=${how},setsar=1`;
  return [
    '[0:V:0]split=2[small][large]',
    `[small]${scaled(grey, 'area')},format=yuv420p,split=2[both][often]`,
    `[both]${scaled(frame, 'area')}[frames]`,
    `[often]${every(GREY_MS)},format=gray[grey]`,
    `[large]yadif=deint=interlaced,${every(sample_ms)},${scaled(sample, 'bicubic')},format=yuvj420p[samples]`,
  ].join(';');
}
