/** Renders the audio track of a dub: the speech at its times in the media, mixed with the original sound. */
import { rm } from 'node:fs/promises';
import type { Loudness } from '../../../media/ffmpeg/measure-loudness.ts';
import {
  extractParts,
  measureFile,
  measureMix,
  type Parts,
  writeMix,
} from '../../../media/ffmpeg/mix-sound.ts';
import { runFfprobe } from '../../../media/ffmpeg/run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { PROGRAMME_LUFS, PROGRAMME_RATE } from '../../../media/sound/broadcast-sound.ts';
import { audioTrackMissing } from '../../../shared/job-errors.ts';
import { type Displaced, type Timeline, timelineOf } from './dub-timeline.ts';

export interface Dub extends Timeline {
  /** The language of the speech, as an ISO 639-2 code. */
  readonly language: string;
  /** The audio track of the media with the original sound, from 1. Null if the media has no sound. */
  readonly original: { readonly media: OpenMedia; readonly track: number } | null;
  /** The path of the result, an MP4 with only sound (.m4a). Its folder needs several hundred MB for each hour of media. */
  readonly output: string;
}

export interface Dubbing {
  readonly tools: MediaTools;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Returns the remaining time, ms. Without this function, there is no limit. */
  readonly left_ms?: (() => number) | undefined;
}

export interface DubbedTrack {
  /** Integrated loudness, measured on the written file. Null if it cannot be measured. */
  readonly integrated_lufs: number | null;
  readonly true_peak_dbtp: number | null;
  readonly displaced: readonly Displaced[];
  readonly duration_ms: number;
  readonly channels: number;
  readonly sample_rate: number;
  readonly codec: 'aac';
}

/** The highest true peak of EBU R128 (2020). */
const MOST_PEAK_DBTP = -1;
/** If the loudness differs from the target by less than this, the track is not encoded again. R128 allows 1 LU. */
const TOLERANCE_LU = 0.5;
/** The limit for samples before encoding. It is lower than the allowed peak, because encoding increases peaks. */
const CEILING_DB = -2.5;
/** The highest gain that brings the original to the loudness of the speech. A higher gain would make noise loud. */
const MOST_GAIN_OF_ORIGINAL_DB = 12;
/** The highest gain of a track. A track that needs more is probably faint on purpose. */
const MOST_GAIN_DB = 20;
/** The maximum number of encodings. The file is encoded again if its loudness or peak is wrong. */
const MOST_ATTEMPTS = 3;
/**
 * The time limit of a pass, in whole ms. A pass over an hour takes one or two minutes. The limit for an hour is half an
 * hour, or the remaining time if that is shorter.
 */
const timeoutFor = (duration_ms: number, left_ms: number) =>
  Math.floor(Math.max(0, Math.min(60_000 + duration_ms / 2, left_ms)));
/** A pass can take longer than the previous one by this factor. */
const SLOWER = 1.25;
const shares = { parts: 0.4, mix: 0.15, file: 0.35, check: 0.1 };

/** Mixes the pieces with the original, at the loudness of EBU R128, for the duration of the media. */
export async function renderTrack(dub: Dub, dubbing: Dubbing): Promise<DubbedTrack> {
  const files = { sound: `${dub.output}.sound.flac`, speech: `${dub.output}.speech.flac` };
  try {
    return await mixTrack(files, dub, dubbing);
  } finally {
    for (const file of Object.values(files)) await rm(file, { force: true });
  }
}

async function mixTrack(
  files: { readonly sound: string; readonly speech: string },
  dub: Dub,
  { tools, signal, onProgress, left_ms = () => Infinity }: Dubbing,
): Promise<DubbedTrack> {
  const { duration_ms, language, output } = dub;
  const displaced: Displaced[] = [];
  const reporter = progressOf(duration_ms, onProgress);
  const during = (share: keyof typeof shares) => ({
    timeout_ms: timeoutFor(duration_ms, left_ms()),
    signal,
    reached: reporter(share),
  });
  const channels = dub.original === null ? 1 : await channelsOf(tools, dub.original, signal);
  const sound = dub.original && { ...dub.original, channels, path: files.sound };
  const timeline = reportPosition(timelineOf(dub, displaced), reporter('parts'));
  const speech = { path: files.speech, duration_ms };
  const original = await extractParts(tools, timeline, { sound, speech, options: during('parts') });
  const parts: Parts = {
    sound: sound && { path: sound.path, gain_db: gainOfOriginal(original.integrated_lufs) },
    speech: { path: files.speech },
    channels,
  };
  const mix = await measureMix(tools, parts, during('mix'));
  const wanted_db = mix.integrated_lufs === null ? 0 : PROGRAMME_LUFS - mix.integrated_lufs;
  let finish = { gain_db: Math.min(MOST_GAIN_DB, wanted_db), ceiling_db: CEILING_DB, peak_db: mix.peak_db };
  for (let attempt = 1; ; attempt++) {
    const isLimited = (finish.peak_db ?? -Infinity) + finish.gain_db > finish.ceiling_db;
    const began = performance.now();
    const ceiling_db = isLimited ? finish.ceiling_db : null;
    await writeMix(tools, parts, {
      finish: { ...finish, ceiling_db, duration_ms, language },
      output,
      options: during('file'),
    });
    const result = await measureFile(tools, output, during('check'));
    const better = correctLevels(finish, result);
    const took_ms = performance.now() - began;
    // If there is no time for another attempt, an imperfect result is better than none.
    if (better === null || attempt === MOST_ATTEMPTS || left_ms() < took_ms * SLOWER) {
      const { integrated_lufs, peak_db: true_peak_dbtp } = result;
      const form = { duration_ms, channels, sample_rate: PROGRAMME_RATE, codec: 'aac' as const };
      return { integrated_lufs, true_peak_dbtp, displaced, ...form };
    }
    finish = better;
  }
}

interface Levels {
  readonly gain_db: number;
  readonly ceiling_db: number;
  /** The peak of the mix before the gain. */
  readonly peak_db: number | null;
}

/** The levels for another attempt if the result is too loud or too soft, or its peaks are too high. Otherwise null. */
function correctLevels(levels: Levels, { integrated_lufs, peak_db }: Loudness): Levels | null {
  const excess_db = Math.max(0, (peak_db ?? -Infinity) - MOST_PEAK_DBTP);
  const off_lu = integrated_lufs === null ? 0 : PROGRAMME_LUFS - integrated_lufs;
  const gain_db = Math.min(MOST_GAIN_DB, levels.gain_db + off_lu);
  const isOff = Math.abs(off_lu) > TOLERANCE_LU && gain_db !== levels.gain_db;
  if (excess_db === 0 && !isOff) return null;
  return {
    gain_db: isOff ? gain_db : levels.gain_db,
    ceiling_db: levels.ceiling_db - (excess_db === 0 ? 0 : excess_db + 0.3),
    // A peak of 0 dB makes the next attempt use the limiter.
    peak_db: excess_db === 0 ? levels.peak_db : 0,
  };
}

const gainOfOriginal = (integrated_lufs: number | null) =>
  integrated_lufs === null ? 0 : Math.min(MOST_GAIN_OF_ORIGINAL_DB, PROGRAMME_LUFS - integrated_lufs);

/** One channel if the original is mono, two if not. */
async function channelsOf(
  tools: MediaTools,
  { media, track }: NonNullable<Dub['original']>,
  signal: AbortSignal | undefined,
): Promise<1 | 2> {
  const entries = ['-select_streams', `a:${track - 1}`, '-show_entries', 'stream=channels'];
  const answer = await runFfprobe(tools, entries, { timeout_ms: PROBE_TIMEOUT_MS, media, signal });
  const [stream] = answer.streams ?? [];
  if (!stream?.channels) throw audioTrackMissing(`The media has no audio track ${track} to speak over.`);
  return stream.channels === 1 ? 1 : 2;
}

const PROBE_TIMEOUT_MS = 120_000;

async function* reportPosition(
  timeline: AsyncIterable<Uint8Array>,
  reached: (position_ms: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const block of timeline) {
    yield block;
    bytes += block.length;
    reached(bytes / (4 * (PROGRAMME_RATE / 1000)));
  }
}

/** Reports the progress of all passes. The progress never decreases, even if a pass is repeated. */
function progressOf(duration_ms: number, onProgress: Dubbing['onProgress']) {
  const order = Object.keys(shares) as (keyof typeof shares)[];
  let most = 0;
  return (share: keyof typeof shares) => (position_ms: number) => {
    const before = order.slice(0, order.indexOf(share)).reduce((sum, one) => sum + shares[one], 0);
    const fraction = before + shares[share] * Math.min(1, position_ms / duration_ms);
    if (fraction <= most) return;
    most = fraction;
    onProgress?.(fraction);
  };
}
