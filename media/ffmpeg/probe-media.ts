/** Probes an uploaded file, and refuses files that are not media. */

import { defined, itemAt } from '../../shared/checked-access.ts';
import { mediaUnreadable } from '../../shared/job-errors.ts';
import {
  type AudioStream,
  assertPlayable,
  type FrameRate,
  type MediaInfo,
  type MediaLimits,
  type VideoStream,
} from '../../shared/media.ts';
import { brokenEnd, statedSize } from './find-missing-end.ts';
import { findPacketEnd, scanToTheEnd, seconds } from './measure-duration.ts';
import type { ProbeFormat as Format, ProbeStream as Stream } from './probe-answer.ts';
import { runFfprobe } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';
import { sniffMedia } from './sniff-format.ts';

/** The fields that ffprobe prints. Most tags are left out, because some files have very long tags. */
const facts = [
  'format=format_name,start_time,duration,probe_score:format_tags=major_brand,timecode',
  'stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,channels,sample_rate,start_time,duration',
  'stream_tags=title,handler_name,language,rotate,timecode:stream_disposition:stream_side_data',
].join(':');
const PROBE_TIMEOUT_MS = 120_000;
/** ffprobe's default number of bytes, and twice its default time. Fewer bytes for `ftyp` files, because their index describes the streams. */
const effortFor = (head: Buffer) => [
  ...['-probesize', head.toString('latin1', 4, 8) === 'ftyp' ? '1M' : '5M', '-analyzeduration', '10M'],
];
/** The minimum score of a detected format. Below it, ffprobe guesses: a few random bytes look like one MP3 frame (score 1). */
const CERTAIN_SCORE = 20;
/** The maximum length of a title. Lists show titles, and some files have very long ones. */
const MAX_TITLE_CHARACTERS = 200;

/** Reads both ends of the file and its index. The duration is 0 if only extraction of the sound can find it. Throws a JobError. */
export async function probeMedia(
  tools: MediaTools,
  source: OpenMedia,
  limits: MediaLimits,
  signal?: AbortSignal,
): Promise<MediaInfo> {
  const otherThing = await sniffMedia(source);
  if (otherThing) {
    throw mediaUnreadable(`The file seems to be ${otherThing}. Upload a video or audio file.`);
  }
  const options = { timeout_ms: PROBE_TIMEOUT_MS, media: source, signal };
  const entries = [...effortFor(await source.read(0, 7)), '-show_entries', facts];
  const { format, streams = [] } = await runFfprobe(tools, entries, options);
  const isGuess = (format?.probe_score ?? 0) < CERTAIN_SCORE;
  if (!format || isGuess) {
    throw mediaUnreadable('The file is not recognized as media. Check that it plays, or export it again.');
  }
  const media = describe(format, streams, source.size);
  await assertWhole(source, media);
  const early = await earlyEnd(tools, source, media, signal);
  if (early !== null) media.findings.push({ code: 'ends_early', detail: early });
  media.duration_ms = await checkedDuration(tools, source, { info: media, limits, signal });
  assertPlayable(media, streams.length, limits);
  return media;
}

/** Returns the duration in the header. Measures the duration of silent videos and extreme values, because no later step checks them. */
async function checkedDuration(
  tools: MediaTools,
  source: OpenMedia,
  {
    info: { duration_ms, video, audio },
    limits: { max_duration_ms },
    signal,
  }: { readonly info: MediaInfo; readonly limits: MediaLimits; readonly signal: AbortSignal | undefined },
): Promise<number> {
  const isHeard = audio.length > 0;
  const isSilent = video !== null && !isHeard;
  const isBelieved = duration_ms > 0 && duration_ms <= max_duration_ms && !isSilent;
  if (isBelieved || (!isHeard && !isSilent)) return duration_ms;
  const found = duration_ms > 0 ? await findPacketEnd(tools, source, signal) : null;
  if (found !== null) return found;
  return isHeard ? duration_ms : scanToTheEnd(tools, source, signal);
}

/** Throws if the file is shorter than it states. ffprobe does not notice that the end is missing if the index is at the start. */
async function assertWhole(source: OpenMedia, { container, size_bytes }: MediaInfo): Promise<void> {
  const expected = await statedSize(source, container);
  if (expected === null) return;
  throw mediaUnreadable(
    `The file was cut short: it has ${size_bytes} of at least ${expected} bytes. Upload the complete file.`,
  );
}

/** Containers that state their duration, but not their size. */
const isMeasured = /^(?:flac|asf|mxf)$/;
const EARLY_MS = 1000;

/** Returns how the file shows that its end is missing, although it states no size. Null if it shows nothing. */
async function earlyEnd(
  tools: MediaTools,
  source: OpenMedia,
  { container, duration_ms }: MediaInfo,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const broken = await brokenEnd(source, container);
  if (broken !== null || duration_ms === 0 || !isMeasured.test(container)) return broken;
  const end_ms = await findPacketEnd(tools, source, signal);
  if (end_ms === null || end_ms > duration_ms - EARLY_MS) return null;
  return `The file says that it lasts ${duration_ms} ms, and ends after ${end_ms} ms.`;
}

function describe(format: Format, streams: readonly Stream[], size_bytes: number): MediaInfo {
  const origin_ms = milliseconds(format.start_time);
  const startOf = (stream: Stream) => Math.max(0, milliseconds(stream.start_time) - origin_ms);
  const isMovingPicture = (stream: Stream) =>
    stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1 && (stream.width ?? 0) > 0;
  const isAudible = ({ channels = 0 }: Stream) => channels > 0;
  const picture = streams.find(isMovingPicture);
  const sounds = streams.filter(({ codec_type }) => codec_type === 'audio');
  return {
    container: containerOf(format),
    duration_ms: claimedDuration(format, streams),
    size_bytes,
    findings: [],
    start_timecode: timecodeOf([picture?.tags, ...streams.map(({ tags }) => tags), format.tags]),
    video: picture ? videoOf(picture, startOf(picture)) : null,
    audio: sounds
      .map((stream, at) => ({ stream, number: at + 1 }))
      .filter(({ stream }) => isAudible(stream))
      .map(({ stream, number }) => audioOf(stream, number, startOf(stream))),
  };
}

/** Returns the duration in the header. For MP4 and MOV, uses the index of all frames instead, as players do. */
function claimedDuration(format: Format, streams: readonly Stream[]): number {
  const stated = Math.max(0, milliseconds(format.duration));
  if (!format.format_name.startsWith('mov,')) return stated;
  const origin_ms = milliseconds(format.start_time);
  const ends = streams
    .filter(
      ({ codec_type, disposition }) => /video|audio/.test(codec_type ?? '') && !disposition?.attached_pic,
    )
    .map(({ start_time, duration }) => milliseconds(start_time) - origin_ms + milliseconds(duration));
  const indexed = Math.max(0, ...ends);
  return indexed > 0 ? indexed : stated;
}

/** Returns the container. ffprobe names only a family ("mov,mp4,m4a,3gp,3g2,mj2"). The brand distinguishes QuickTime from MP4. */
function containerOf({ format_name, tags }: Format): string {
  if (!format_name.startsWith('mov,')) return itemAt(format_name.split(','), 0);
  return tags?.major_brand === undefined || tags.major_brand.startsWith('qt') ? 'mov' : 'mp4';
}

function videoOf(stream: Stream, start_ms: number): VideoStream {
  const rotation = rotationOf(stream);
  const isSideways = rotation % 180 === 90;
  const aspect = fraction(stream.sample_aspect_ratio?.replace(':', '/'));
  const width = Math.round(defined(stream.width) * (aspect?.value ?? 1));
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

// SMPTE ST 12-1. ffprobe writes `;` before the frames of a drop-frame time code. Some muxers write `.`.
const TIMECODE = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)([:;.])(\d\d)$/;

/** Returns the first valid time code. MOV and MP4 store it in the picture and on a separate track. MXF stores it in its header. */
function timecodeOf(all: readonly Format['tags'][]): string | null {
  for (const tags of all) {
    const [, time, mark, frames] = TIMECODE.exec(tags?.timecode ?? tags?.TIMECODE ?? '') ?? [];
    if (time !== undefined) return `${time}${mark === ':' ? ':' : ';'}${frames}`;
  }
  return null;
}

/** Returns the rotation, degrees clockwise. The display matrix is counterclockwise. The tag `rotate` of ffmpeg before 2022 is clockwise. */
function rotationOf(stream: Stream): number {
  const matrix = stream.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation;
  const degrees = matrix === undefined ? Number(stream.tags?.rotate ?? 0) : -matrix;
  // ffprobe prints a rotation of 2^63 for an empty matrix. A tag may contain any text.
  if (!(Math.abs(degrees) <= 360)) return 0;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

function audioOf(stream: Stream, number: number, start_ms: number): AudioStream {
  const { disposition = {}, tags } = stream;
  const special = ['comment', 'visual_impaired', 'hearing_impaired', 'karaoke', 'clean_effects'];
  return {
    index: stream.index,
    number,
    title: titleOf(tags),
    codec: stream.codec_name ?? 'unknown',
    channels: defined(stream.channels),
    sample_rate: Number(stream.sample_rate ?? 0),
    language: languageOf(tags?.language),
    is_default: disposition.default === 1,
    is_special: special.some((role) => disposition[role] === 1),
    start_ms,
  };
}

function titleOf(tags: Format['tags']): string | null {
  const title = shown(tags?.title ?? tags?.handler_name ?? '');
  const isOfTheMuxer = /^(?:Sound|Audio|Core Media |#Mainconcept |Gpac |ISO Media)|handler$/i.test(title);
  return title === '' || isOfTheMuxer ? null : [...title].slice(0, MAX_TITLE_CHARACTERS).join('');
}

/** Makes a tag safe to show: removes control characters, and characters that change the text direction. */
const shown = (tag: string): string =>
  tag
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** Converts a code of ISO 639-2, also a bibliographic one ("ger"), to the primary subtag of BCP 47. */
function languageOf(stated: string | undefined): string | null {
  // These codes name no language: "no linguistic content", "multiple", "undetermined".
  if (!stated || /^(?:und|mul|mis|zxx)/i.test(stated)) return null;
  try {
    return new Intl.Locale(stated).language;
  } catch {
    return null;
  }
}

/** Parses "30000/1001". Returns null for "0/0", "0/1" and a missing text. */
export function fraction(text: string | undefined): FrameRate | null {
  const [num = 0, den = 0] = (text ?? '').split('/').map(Number);
  return num > 0 && den > 0 ? { num, den, value: num / den } : null;
}

const milliseconds = (text: string | undefined): number => Math.round(seconds(text) * 1000);
