/** Decodes a part of a video once, for all analyses of its pictures. */
import type { Size } from '../../shared/boxes.ts';
import { isMpegStream } from '../ffmpeg/extract-sound.ts';
import { ffmpegOutput, openSafely, type RunOptions } from '../ffmpeg/run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { GreyPicture, Picture } from './picture.ts';
import { readPackets } from './read-matroska.ts';

/** A very small picture of a frame, for comparing frames. Every frame has one. */
export interface Frame {
  readonly at_ms: number;
  /** The planes Y, U and V in 4:2:0. */
  readonly planes: Uint8Array;
}

/** `width` and `height` are those of the video as displayed, pixels. */
export interface Looking extends Size {
  readonly sample_ms: number;
  /** The time of the first wanted frame. Earlier frames may also be yielded. */
  readonly from_ms: number;
  /** Whether to skip frames to which no other frame refers. Decoding is then up to twice as fast. */
  readonly isSparse?: boolean;
}

/** One decoded picture. Pictures come in order of time. In a sample, `frame` is the number of frames before it. */
export type Sight =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'grey'; readonly picture: GreyPicture }
  | { readonly kind: 'sample'; readonly picture: Picture };

const GREY_MS = 200;
/** Decoding begins this long before `from_ms`. `STREAM_LEAD_MS`: for transport streams with inexact seeks and key frames every 10 s. */
const LEAD_MS = 1000;
const STREAM_LEAD_MS = 11_000;
/** JPEG quality from 2 (best) to 31. With a worse quality, text recognition finds strokes in artifacts. */
const JPEG_QUALITY = 4;
/** The number of decoder threads. Two threads use all processors of a Lambda with 3 GB. More would only use memory. */
const THREADS = 2;

/** Yields pictures of the first video stream, from `from_ms` to its end. Throws as `ffmpegOutput` does. */
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
    // Each frame keeps its time. No frame is repeated or dropped.
    ...['-vsync', 'passthrough', '-enc_time_base', '-1', '-map_metadata', '-1'],
    ...['-live', '1', '-f', 'matroska', 'pipe:1'],
    // ffmpeg counts time from the first stream that it reads: see `pictureToo` in media/ffmpeg/extract-sound.ts.
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

/** The number of recent frames among which the frame of a sample is searched. The filters delay samples and frames differently. */
const KEPT = 300;

/** Returns the filters. Only samples are deinterlaced, because the other pictures are too small to show interlacing. */
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

type PictureSizes = ReturnType<typeof pictureSizes>;

/** The length of the longer side of frames, gray pictures and samples, in pixels. */
const FRAME_PIXELS = 64;
const GREY_PIXELS = 160;
const SAMPLE_PIXELS = 1280;

/** The sizes of the pictures that are decoded. @param displayed in pixels */
export function pictureSizes(displayed: Size) {
  const longer = Math.max(displayed.width, displayed.height);
  const within = (pixels: number): Size => {
    const scale = pixels / longer;
    return { width: even(displayed.width * scale), height: even(displayed.height * scale) };
  };
  return {
    frame: within(FRAME_PIXELS),
    grey: within(GREY_PIXELS),
    sample: within(Math.min(SAMPLE_PIXELS, longer)),
  };
}

/** Sides must be even, because color is stored for every second pixel. */
const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));
