/** Converts uploads of a branding to the form that rendering reads: upright, with square pixels and a constant frame rate. */
import { open } from 'node:fs/promises';
import type { Size } from '../../shared/boxes.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../shared/job-errors.ts';
import type { FrameRate } from '../../shared/media.ts';
import { containers, movingPictures, pictures } from './allowed-formats.ts';
import { writeLocalFile } from './local-file.ts';
import { nullIfUnreadable } from './measure-duration.ts';
import type { ProbeStream } from './probe-answer.ts';
import { fraction } from './probe-media.ts';
import { openSafely, runFfprobe, runWithProgress } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

export interface NormalForm extends Size {
  readonly media_type: 'image/png' | 'video/mp4' | 'video/webm';
  /** Null for a picture, like `frame_rate`. */
  readonly duration_ms: number | null;
  readonly frame_rate: { readonly num: number; readonly den: number } | null;
  readonly has_audio: boolean;
}

export interface Normalizing {
  readonly tools: MediaTools;
  readonly media: OpenMedia;
  readonly output: string;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal | undefined;
}

/** The size is in pixels as displayed. */
export interface Video extends Size {
  readonly index: number;
  readonly frame_rate: FrameRate | null;
  /** The number of the audio track to keep, from 1. */
  readonly sound: number | null;
  readonly keepsAlpha: boolean;
  readonly max_ms: number;
  /** Whether the file is an animated picture (GIF, APNG). */
  readonly isMovingPicture?: boolean;
}

/** The maximum length of a side in pixels: the width of UHD-1. `MAX_RATE` is in frames a second. */
const MAX_SIDE = 3840;
const MAX_RATE = 60;
/** The frame rate of videos whose header has none. */
const usualRate = { num: 25, den: 1 };
/** The maximum size of a file, bytes: three minutes at the maximum bit rate. */
const FILE_BYTES = 1 << 30;
const PROBE_TIMEOUT_MS = 60_000;
/** Nearly lossless, because rendering encodes the video again. The bit rate is below the speed of S3. Groups of pictures are closed. */
const h264 = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-maxrate', '40M', '-bufsize', '80M'],
  ...['-profile:v', 'high', '-flags', '+cgop', '-movflags', '+faststart'],
];
const vp9 = [
  ...['-c:v', 'libvpx-vp9', '-crf', '18', '-b:v', '0', '-deadline', 'realtime', '-cpu-used', '6'],
  ...['-row-mt', '1', '-auto-alt-ref', '0'],
];
const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];

/** Writes a still picture as PNG with alpha. Throws a JobError. */
export async function normalizePicture(given: Normalizing): Promise<NormalForm> {
  const { media, output } = given;
  // ffmpeg applies the Exif rotation when it decodes the picture.
  const factor = `min(1,${MAX_SIDE}/max(iw,ih))`;
  const side = (of: string) => `'max(1,trunc(${of}*${factor}))'`;
  const args = [
    ...['-xerror', '-err_detect', 'explode', ...openSafely(media, pictures)],
    ...['-vf', `scale=${side('iw')}:${side('ih')}:flags=bicubic,setsar=1,format=rgba`],
    ...['-frames:v', '1', '-map_metadata', '-1', '-c:v', 'png', '-update', '1'],
    ...writeLocalFile(output, 'image2'),
  ];
  await countFrames(args, given);
  const facts = { duration_ms: null, frame_rate: null, has_audio: false };
  return { media_type: 'image/png', ...(await sizeOfPng(output)), ...facts };
}

/** Writes a video: H.264 and AAC in MP4, or VP9 in WebM to keep its alpha channel. Throws a JobError. */
export async function normalizeVideo(given: Normalizing, video: Video): Promise<NormalForm> {
  const { media, output } = given;
  const look = await lookAt(given, video);
  const hasAlpha = video.keepsAlpha && look.hasAlpha;
  const frame_rate = rateOf(video.frame_rate);
  const { num, den } = frame_rate;
  const { width, height } = fitting(video);
  const filters = [
    ...(look.isInterlaced ? ['bwdif=deint=interlaced'] : []),
    `fps=${num}/${den}:start_time=0`,
    ...(look.isHdr ? toneMapping : []),
    `scale=${width}:${height}:flags=bicubic:in_color_matrix=${look.matrix}:out_color_matrix=bt709:out_range=tv`,
    ...['setsar=1', `format=${hasAlpha ? 'yuva420p' : 'yuv420p'}`],
  ];
  const args = [
    ...[...look.decoder, ...openSafely(media, look.formats), '-map', `0:${video.index}`],
    ...['-vf', filters.join(), '-vsync', 'cfr', ...bt709, ...(hasAlpha ? vp9 : h264)],
    // One key frame every second.
    ...['-g', String(Math.max(1, Math.round(num / den)))],
    ...(video.sound === null ? [] : soundOf(video.sound)),
    ...['-t', String(video.max_ms / 1000 + 1), '-map_metadata', '-1', '-map_chapters', '-1'],
    ...['-progress', 'pipe:1', ...writeLocalFile(output, hasAlpha ? 'webm' : 'mp4')],
  ];
  const frames = await countFrames(args, given);
  if (frames === 0) throw mediaUnreadable('The video has no picture that can be decoded. Export it again.');
  const duration_ms = Math.round((1000 * frames * den) / num);
  if (duration_ms > video.max_ms) throw tooLong(video.max_ms);
  const media_type = hasAlpha ? 'video/webm' : 'video/mp4';
  return { media_type, width, height, duration_ms, frame_rate, has_audio: video.sound !== null };
}

/** Probes an animated GIF or PNG. Returns null if the file has only one picture. */
export async function probeAnimation(
  { tools, media, signal }: Normalizing,
  max_ms: number,
): Promise<Video | null> {
  const entries = [
    ...['-read_intervals', '%+#2', '-select_streams', 'v:0'],
    ...['-show_entries', 'packet=pts:stream=width,height,avg_frame_rate'],
  ];
  const options = { timeout_ms: PROBE_TIMEOUT_MS, media, signal, formats: movingPictures };
  // ffprobe fails for a still PNG, because such a file has none of the animated formats.
  const answer = await runFfprobe(tools, entries, options).catch(nullIfUnreadable);
  const { width = 0, height = 0, avg_frame_rate } = answer?.streams?.[0] ?? {};
  if ((answer?.packets ?? []).length < 2 || width * height === 0) return null;
  const frame_rate = fraction(avg_frame_rate);
  const fixed = { index: 0, sound: null, keepsAlpha: true, isMovingPicture: true };
  return { ...fixed, width, height, frame_rate, max_ms };
}

export const tooLong = (max_ms: number) =>
  mediaLimitExceeded(`The video lasts longer than ${max_ms / 1000} s; upload a shorter one.`);

const isTransparent = /^(?:ya|rgba|bgra|argb|abgr|gbrap|yuva|pal8)/;
/** The decoders that read the alpha channel, which WebM stores separately. ffmpeg's native decoders ignore it. */
const decodersOfAlpha: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };
/** The two transfer functions of HDR: perceptual quantizer and hybrid log-gamma (ITU-R BT.2100). */
const hdr = ['smpte2084', 'arib-std-b67'];
const toneMapping = [
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv444p',
];

async function lookAt(given: Normalizing, { index, height, isMovingPicture = false }: Video) {
  const { tools, media, signal } = given;
  const wanted = 'stream=codec_name,pix_fmt,color_space,color_transfer,field_order:stream_tags=alpha_mode';
  const formats = isMovingPicture ? movingPictures : containers;
  const options = { timeout_ms: PROBE_TIMEOUT_MS, media, signal, formats };
  const entries = ['-select_streams', String(index), '-show_entries', wanted];
  const { streams = [] } = await runFfprobe(tools, entries, options);
  const stream: Partial<ProbeStream> = streams[0] ?? {};
  const { codec_name = '', pix_fmt = '', color_space, color_transfer = '' } = stream;
  const { field_order = '', tags } = stream;
  const decoder = tags?.alpha_mode === '1' ? decodersOfAlpha[codec_name] : undefined;
  const isHdr = hdr.includes(color_transfer);
  // If the file states no matrix, the matrix depends on the size (ITU-R BT.601, BT.709).
  const isKnown = color_space !== undefined && color_space !== 'unknown';
  const guessed = height >= 720 ? 'bt709' : 'bt601';
  return {
    hasAlpha: decoder !== undefined || isTransparent.test(pix_fmt),
    isHdr,
    isInterlaced: /^[tb][tb]$/.test(field_order),
    matrix: isHdr ? 'bt709' : isKnown ? 'auto' : guessed,
    decoder: decoder === undefined ? [] : ['-c:v', decoder],
    formats,
  };
}

const soundOf = (number: number) => [
  ...['-map', `0:a:${number - 1}`, '-af', 'aresample=48000:async=1:first_pts=0'],
  ...['-c:a', 'aac', '-b:a', '192k', '-ac', '2'],
];

/** Returns the frame rate of the file, but at most 60 frames a second, and without fractions that players do not support. */
function rateOf(stated: FrameRate | null) {
  if (stated === null || !(stated.value >= 1)) return usualRate;
  let { num, den } = stated;
  while (num / den > MAX_RATE + 0.01) den *= 2;
  return den > 1001 || num > 1_000_000 ? { num: Math.round((1000 * num) / den), den: 1000 } : { num, den };
}

function fitting({ width, height }: Size) {
  const factor = Math.min(1, MAX_SIDE / Math.max(width, height));
  const even = (side: number) => Math.max(2, 2 * Math.round((side * factor) / 2));
  return { width: even(width), height: even(height) };
}

async function countFrames(args: readonly string[], { tools, media, timeout_ms, signal }: Normalizing) {
  const options = { timeout_ms, media, signal, file_bytes: FILE_BYTES };
  return (await runWithProgress(tools, args, options)).frames;
}

/** Reads the size of a PNG. Width and height come after the signature and the length and type of the first chunk (PNG §11.2.2). */
async function sizeOfPng(path: string): Promise<Size> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(24), 0, 24, 0);
    return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
  } finally {
    await file.close();
  }
}
