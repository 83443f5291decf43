/** Mixes speech with the sound of media, at the loudness of broadcasts. */
import { PROGRAMME_RATE } from '../sound/broadcast-sound.ts';
import { pictureToo } from './extract-sound.ts';
import { openLocalFile, writeLocalFile } from './local-file.ts';
import {
  type Loudness,
  loudnessFilters,
  type MeasuringOptions,
  measureLoudness,
} from './measure-loudness.ts';
import { openSafely, runWithProgress } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

/** The parts of a mix: files that `extractParts` writes, and the gain of the sound. */
export interface Parts {
  /** Null if the media have no sound. */
  readonly sound: { readonly path: string; readonly gain_db: number } | null;
  readonly speech: { readonly path: string };
  readonly channels: 1 | 2;
}

export interface Finish {
  readonly gain_db: number;
  /** The limiter keeps all samples below this level, dB relative to full scale. Null if no sample needs a limit. */
  readonly ceiling_db: number | null;
  readonly duration_ms: number;
  /** ISO 639-2 code that is written to the track. */
  readonly language: string;
}

/** The stored sound is reduced by this level, dB. Otherwise, the sum of six channels might exceed full scale. */
const HEADROOM_DB = 6;
const BITS_A_CHANNEL = 80_000;
/** Above 64 kb/s, this coder is better than the slower coder `twoloop` (ffmpeg's documentation). It takes half the time. */
const AAC_CODER = 'fast';
/** The sound of the media is read until this many seconds after the end of the speech. */
const BEYOND_S = 1;
/** The limiter's release time, ms. A shorter time would distort low voices. */
const RELEASE_MS = 80;
/** Returns a limit in bytes for a FLAC file of this sound. A correct file is always smaller. */
const mostBytes = (channels: number, duration_ms: number) =>
  channels * PROGRAMME_RATE * 3 * (duration_ms / 1000) + (64 << 20);

const layouts = { 1: 'mono', 2: 'stereo' } as const;
const format = (channels: 1 | 2) =>
  `aformat=sample_fmts=fltp:sample_rates=${PROGRAMME_RATE}:channel_layouts=${layouts[channels]}`;
/** Copies one channel of a file to all output channels, at the same level. */
const spread = (channel: number, channels: 1 | 2) =>
  `pan=${layouts[channels]}|c0=c${channel}${channels === 2 ? `|c1=c${channel}` : ''}`;
/** Each channel of stereo is this much softer, dB, because two loudspeakers have twice the power of one. */
const shareOf = (channels: 1 | 2) => (channels === 2 ? -3.01 : 0);

/**
 * Reads the sound once, measures it, multiplies it by the factors of the timeline, and writes the result to a file. Writes the
 * speech to another file. Both files have the timeline of the media.
 * @param timeline interleaved 16-bit samples at 48 kHz: the speech, and the factor of the sound (32767 is 1)
 * @param sound the media and the number of the audio track, from 1
 */
export async function extractParts(
  tools: MediaTools,
  timeline: AsyncIterable<Uint8Array>,
  {
    sound,
    speech,
    options,
  }: {
    readonly sound: { media: OpenMedia; track: number; channels: 1 | 2; path: string } | null;
    readonly speech: { path: string; duration_ms: number };
    readonly options: MeasuringOptions;
  },
): Promise<Loudness> {
  const raw = [
    ...['-protocol_whitelist', 'pipe', '-f', 's16le', '-ar', String(PROGRAMME_RATE)],
    ...['-ac', '2', '-i', 'pipe:0'],
  ];
  const flac = (label: string, path: string) => [
    ...['-map', `[${label}]`, '-c:a', 'flac'],
    ...writeLocalFile(path, 'flac'),
  ];
  const running = {
    timeout_ms: options.timeout_ms,
    signal: options.signal,
    media: sound?.media,
    input: timeline,
    file_bytes: mostBytes(sound?.channels ?? 1, speech.duration_ms),
  };
  if (sound === null) {
    const filters = ['-filter_complex', `[0:a]${spread(0, 1)}[speech]`];
    return await measureLoudness(tools, [...raw, ...filters, ...flac('speech', speech.path)], running);
  }
  const { media, track, channels, path } = sound;
  const graph = [
    // first_pts adds silence before a late start. async fills gaps longer than 0.1 s.
    `[0:a:${track - 1}]aresample=${PROGRAMME_RATE}:async=1:first_pts=0,${format(channels)},apad,` +
      `${loudnessFilters('none')},volume=-${HEADROOM_DB}dB[sound]`,
    `[1:a]asplit[one][other]`,
    `[one]${spread(0, 1)}[speech]`,
    `[other]${spread(1, channels)},${format(channels)}[factor]`,
    `[sound][factor]amultiply[below]`,
  ];
  // Limits the duration. A gap of hours before the last sample would otherwise fill the memory with silence.
  const beginning = ['-t', String(speech.duration_ms / 1000 + BEYOND_S)];
  const args = [
    ...['-threads', '1', ...beginning, ...openSafely(media), ...raw, '-filter_complex', graph.join(';')],
    ...[...flac('below', path), ...flac('speech', speech.path), ...(await pictureToo(media))],
  ];
  return await measureLoudness(tools, args, running);
}

export const measureMix = (tools: MediaTools, parts: Parts, options: MeasuringOptions): Promise<Loudness> =>
  measureLoudness(tools, [...mixed(parts, [loudnessFilters('sample')]), '-f', 'null', '-'], options);

export async function writeMix(
  tools: MediaTools,
  parts: Parts,
  {
    finish: { gain_db, ceiling_db, duration_ms, language },
    output,
    options: { timeout_ms, signal, reached = () => {} },
  }: { readonly finish: Finish; readonly output: string; readonly options: MeasuringOptions },
): Promise<void> {
  const limiter = `alimiter=limit=${10 ** ((ceiling_db ?? 0) / 20)}:release=${RELEASE_MS}:level=false`;
  const finish = [`volume=${gain_db}dB`, ...(ceiling_db === null ? [] : [limiter])];
  const args = [
    ...mixed(parts, finish),
    ...['-c:a', 'aac', '-aac_coder', AAC_CODER, '-b:a', String(BITS_A_CHANNEL * parts.channels)],
    ...['-t', String(duration_ms / 1000)],
    ...['-map_metadata', '-1', '-metadata:s:a:0', `language=${language}`],
    ...['-movflags', '+faststart', '-progress', 'pipe:1'],
    ...writeLocalFile(output, 'ipod'),
  ];
  const running = { timeout_ms, signal, file_bytes: mostBytes(parts.channels, duration_ms) };
  await runWithProgress(tools, args, running, ({ position_ms }) => reached(position_ms));
}

/** Measures the loudness of a written mix after decoding, as a player does. */
export const measureFile = (tools: MediaTools, path: string, options: MeasuringOptions): Promise<Loudness> =>
  measureLoudness(
    tools,
    [...openLocalFile(path, 'mov,mp4,m4a,3gp,3g2,mj2'), '-af', loudnessFilters('true'), '-f', 'null', '-'],
    options,
  );

/** Returns arguments that open the parts, mix them, and apply the filters `behind` to the mix. */
function mixed({ sound, speech, channels }: Parts, behind: readonly string[]): string[] {
  const chain = behind.join();
  if (sound === null) {
    const graph = `[0:a]${spread(0, channels)},${format(channels)},${chain}[mix]`;
    return [...openLocalFile(speech.path, 'flac'), '-filter_complex', graph, '-map', '[mix]'];
  }
  const graph = [
    `[0:a]volume=${sound.gain_db + HEADROOM_DB}dB,${format(channels)}[below]`,
    `[1:a]${spread(0, channels)},volume=${shareOf(channels)}dB,${format(channels)}[speech]`,
    `[below][speech]amix=inputs=2:normalize=0:duration=longest,${chain}[mix]`,
  ];
  const inputs = [...openLocalFile(sound.path, 'flac'), ...openLocalFile(speech.path, 'flac')];
  return [...inputs, '-filter_complex', graph.join(';'), '-map', '[mix]'];
}
