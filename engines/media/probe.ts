/** Finds out what an uploaded file is made of, and refuses what is no media. */
import { stat } from 'node:fs/promises';
import { mediaUnreadable } from '../../platform/shared/job-errors.ts';
import {
  type AudioStream,
  assertPlayable,
  type FrameRate,
  type MediaInfo,
  type MediaLimits,
  type VideoStream,
} from '../../platform/shared/media.ts';
import { expectedSize } from './cut-short.ts';
import { openSafely, runFfmpeg, runFfprobe } from './ffmpeg.ts';
import type { MediaTools } from './port.ts';
import { sniffFile } from './sniff.ts';

/** What is used of ffprobe's answer (`ffprobe -of json -show_format -show_streams`). */
type Answer = { streams?: Stream[]; format?: Format };
type Format = {
  format_name: string;
  start_time?: string;
  duration?: string;
  probe_score?: number;
  tags?: Record<string, string>;
};
type Stream = {
  index: number;
  codec_type?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  sample_aspect_ratio?: string;
  avg_frame_rate?: string;
  r_frame_rate?: string;
  channels?: number;
  sample_rate?: string;
  start_time?: string;
  tags?: Record<string, string>;
  disposition?: Record<string, number>;
  side_data_list?: { rotation?: number }[];
};

/** Time to read the headers; then to count the packets of a file that does not say how long it is. */
const PROBE_TIMEOUT_MS = 60_000;
const SCAN_TIMEOUT_MS = 600_000;
/** The lowest score that counts. Below it ffprobe guesses: a few bytes of anything look like one MP3 frame (score 1). */
const CERTAIN_SCORE = 20;

/** Throws `media_unreadable` or `media_limit_exceeded` with a detail that says what was found. */
export async function probe(
  tools: MediaTools,
  file: string,
  limits: MediaLimits,
  signal?: AbortSignal,
): Promise<MediaInfo> {
  const otherThing = await sniffFile(file);
  if (otherThing) {
    throw mediaUnreadable(
      `The file seems to be ${otherThing}, whatever its name says. Upload a video or audio file.`,
    );
  }
  const options = { timeout_ms: PROBE_TIMEOUT_MS, signal };
  const answer = (await runFfprobe(tools, file, ['-show_format', '-show_streams'], options)) as Answer;
  const { format, streams = [] } = answer;
  const isGuess = (format?.probe_score ?? 0) < CERTAIN_SCORE;
  if (!format || isGuess) {
    throw mediaUnreadable('The file is not recognised as media. Check that it plays, or export it again.');
  }
  const media = describe(format, streams, (await stat(file)).size);
  await assertWhole(file, media);
  if (media.duration_ms === 0 && (media.video || media.audio.length > 0)) {
    media.duration_ms = await measureDuration(tools, file, signal);
  }
  assertPlayable(media, streams.length, limits);
  return media;
}

/** An index at the front makes the first half of a file look whole: what is missing must be counted. */
async function assertWhole(file: string, { container, size_bytes }: MediaInfo): Promise<void> {
  if (container !== 'mp4' && container !== 'mov') return;
  const expected = await expectedSize(file, size_bytes);
  if (expected === null) return;
  throw mediaUnreadable(
    `The file was cut short: ${size_bytes} of at least ${expected} bytes are there. Upload it again, complete.`,
  );
}

function describe(format: Format, streams: readonly Stream[], size_bytes: number): MediaInfo {
  const origin_ms = milliseconds(format.start_time);
  const startOf = (stream: Stream) => Math.max(0, milliseconds(stream.start_time) - origin_ms);
  const isMovingPicture = (stream: Stream) =>
    stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1 && (stream.width ?? 0) > 0;
  const isAudible = (stream: Stream) => stream.codec_type === 'audio' && (stream.channels ?? 0) > 0;
  const picture = streams.find(isMovingPicture);
  return {
    container: containerOf(format),
    duration_ms: milliseconds(format.duration),
    size_bytes,
    video: picture ? videoOf(picture, startOf(picture)) : null,
    audio: streams.filter(isAudible).map((stream) => audioOf(stream, startOf(stream))),
  };
}

/** ffprobe names a family ("mov,mp4,m4a,3gp,3g2,mj2"); the brand tells QuickTime from MP4. */
function containerOf({ format_name, tags }: Format): string {
  if (!format_name.startsWith('mov,')) return format_name.split(',')[0]!;
  return tags?.major_brand === undefined || tags.major_brand.startsWith('qt') ? 'mov' : 'mp4';
}

function videoOf(stream: Stream, start_ms: number): VideoStream {
  const rotation = rotationOf(stream);
  const isSideways = rotation % 180 === 90;
  const aspect = fraction(stream.sample_aspect_ratio?.replace(':', '/'));
  const width = Math.round(stream.width! * (aspect?.value ?? 1));
  const height = stream.height ?? 0;
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    frame_rate: fraction(stream.avg_frame_rate) ?? fraction(stream.r_frame_rate),
    rotation,
    start_ms,
  };
}

/** The display matrix counts anticlockwise, the `rotate` tag of builds before 2022 clockwise. */
function rotationOf(stream: Stream): number {
  const matrix = stream.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation;
  const degrees = matrix === undefined ? Number(stream.tags?.rotate ?? 0) : -matrix;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

function audioOf(stream: Stream, start_ms: number): AudioStream {
  const { disposition = {}, tags } = stream;
  const special = ['comment', 'visual_impaired', 'hearing_impaired', 'karaoke', 'clean_effects'];
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    channels: stream.channels!,
    sample_rate: Number(stream.sample_rate ?? 0),
    language: languageOf(tags?.language),
    is_default: disposition.default === 1,
    is_special: special.some((role) => disposition[role] === 1),
    start_ms,
  };
}

/** ISO 639-2 as files write it, bibliographic ("ger") or not, as a BCP 47 primary subtag. */
function languageOf(stated: string | undefined): string | null {
  // "No linguistic content", "multiple" and "undetermined" name no language.
  if (!stated || /^(?:und|mul|mis|zxx)/i.test(stated)) return null;
  try {
    return new Intl.Locale(stated).language;
  } catch {
    return null;
  }
}

/** "30000/1001" → a fraction; "0/0", "0/1" and nothing → null. */
function fraction(text: string | undefined): FrameRate | null {
  const [num = 0, den = 0] = (text ?? '').split('/').map(Number);
  return num > 0 && den > 0 ? { num, den, value: num / den } : null;
}

function milliseconds(seconds: string | undefined): number {
  const value = Number(seconds);
  return Number.isFinite(value) ? Math.round(value * 1000) : 0;
}

/** Where the last packet ends. Browsers record WebM, and encoders write raw streams, without a duration. */
async function measureDuration(tools: MediaTools, file: string, signal?: AbortSignal): Promise<number> {
  let last = 0;
  await runFfmpeg(
    tools,
    [...openSafely(file), '-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null', '-'],
    {
      timeout_ms: SCAN_TIMEOUT_MS,
      signal,
      onProgress: (position_ms) => {
        last = Math.max(last, position_ms);
      },
    },
  );
  return last;
}
