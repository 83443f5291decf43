/** The audio track of a dub: speech on the timeline of the media, over the original sound. */
import { rm, stat } from 'node:fs/promises';
import type { Loudness } from '../../../media/ffmpeg/measure-loudness.ts';
import type { MediaTools } from '../../../media/ffmpeg/media-tools.ts';
import {
  extractParts,
  measureFile,
  measureMix,
  type Parts,
  writeMix,
} from '../../../media/ffmpeg/mix-sound.ts';
import { runFfprobe } from '../../../media/ffmpeg/run-ffmpeg.ts';
import type { OpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { PROGRAMME_LUFS, PROGRAMME_RATE } from '../../../media/sound/broadcast-sound.ts';
import { audioTrackMissing } from '../../../shared/job-errors.ts';
import { type Displaced, type DubPiece, type Timeline, timelineOf } from './dub-timeline.ts';

export type { Displaced, DubPiece };

export interface Dub extends Timeline {
  /** What is spoken, ISO 639-2. */
  readonly language: string;
  /** What is heard below the speech: the audio track of that number (from 1). Null where the media have no sound. */
  readonly original: { readonly media: OpenMedia; readonly track: number } | null;
  /** Where the file goes, an MP4 of sound alone (.m4a); its folder holds some hundred MB an hour meanwhile. */
  readonly output: string;
}

export interface Dubbing {
  readonly tools: MediaTools;
  readonly signal?: AbortSignal | undefined;
  /** Hears how much is done, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** How long all of it may still take, milliseconds; without, as long as it takes. */
  readonly left_ms?: (() => number) | undefined;
}

/** Why a track is not as loud as EBU R128 asks for: nothing is heard, or too little to measure, or all of it is faint. */
export type UnusualLoudness = 'silent' | 'too_short' | 'faint';

export interface DubbedTrack {
  /** As measured on what was written; null where nothing can be measured. */
  readonly integrated_lufs: number | null;
  readonly true_peak_dbtp: number | null;
  readonly unusual: UnusualLoudness | null;
  readonly displaced: readonly Displaced[];
  readonly duration_ms: number;
  readonly channels: number;
  readonly sample_rate: number;
  readonly codec: 'aac';
  readonly size_bytes: number;
}

/** EBU R128 (2020). */
const MOST_PEAK_DBTP = -1;
/** R128 allows 1 LU to either side where nobody rides the level; what is nearer is left as it is. */
const TOLERANCE_LU = 0.5;
/** Samples stay so far below, since an encoder adds peaks of its own. */
const CEILING_DB = -2.5;
/** The original is brought to the same loudness, but noise is not made a roar. */
const MOST_GAIN_OF_ORIGINAL_DB = 12;
/** What would have to be raised by more is faint for a reason. */
const MOST_GAIN_DB = 20;
/** An encoder that took or gave too much is asked again. */
const MOST_ATTEMPTS = 3;
/** BS.1770 measures in blocks of that length. */
const SHORTEST_MS = 400;
/** A pass over an hour takes a minute or two; this is half an hour, or what is left. Whole milliseconds, as timers want them. */
const timeoutFor = (duration_ms: number, left_ms: number) =>
  Math.floor(Math.max(0, Math.min(60_000 + duration_ms / 2, left_ms)));
/** Another pass may take so many times as long as the one before. */
const SLOWER = 1.25;
/** Shares of the time that the passes take. */
const shares = { parts: 0.4, mix: 0.15, file: 0.35, check: 0.1 };

/**
 * Speaks the pieces over the original, as loud as EBU R128 asks for, and as long as the media. Throws a JobError, and what the pieces
 * throw.
 */
export async function dubbedTrack(dub: Dub, dubbing: Dubbing): Promise<DubbedTrack> {
  const files = { sound: `${dub.output}.sound.flac`, speech: `${dub.output}.speech.flac` };
  try {
    return await mixedFrom(files, dub, dubbing);
  } finally {
    for (const file of Object.values(files)) await rm(file, { force: true });
  }
}

async function mixedFrom(
  files: { readonly sound: string; readonly speech: string },
  dub: Dub,
  { tools, signal, onProgress, left_ms = () => Infinity }: Dubbing,
): Promise<DubbedTrack> {
  const { duration_ms, language, output } = dub;
  const displaced: Displaced[] = [];
  const told = progressOf(duration_ms, onProgress);
  const during = (share: keyof typeof shares) => ({
    timeout_ms: timeoutFor(duration_ms, left_ms()),
    signal,
    reached: told(share),
  });
  const channels = dub.original === null ? 1 : await channelsOf(tools, dub.original, signal);
  const sound = dub.original && { ...dub.original, channels, path: files.sound };
  const timeline = watched(timelineOf(dub, displaced), told('parts'));
  const original = await extractParts(
    tools,
    timeline,
    sound,
    { path: files.speech, duration_ms },
    during('parts'),
  );
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
    await writeMix(tools, parts, { ...finish, ceiling_db, duration_ms, language }, output, during('file'));
    const result = await measureFile(tools, output, during('check'));
    const better = corrected(finish, result);
    const took_ms = performance.now() - began;
    // What is a little off is better than nothing.
    if (better === null || attempt === MOST_ATTEMPTS || left_ms() < took_ms * SLOWER) {
      const { size } = await stat(output);
      const about = {
        duration_ms,
        channels,
        sample_rate: PROGRAMME_RATE,
        codec: 'aac' as const,
        size_bytes: size,
      };
      const { integrated_lufs, peak_db: true_peak_dbtp } = result;
      return { integrated_lufs, true_peak_dbtp, unusual: unusual(result, duration_ms), displaced, ...about };
    }
    finish = better;
  }
}

interface Levels {
  readonly gain_db: number;
  readonly ceiling_db: number;
  /** Of the mix, before the gain. */
  readonly peak_db: number | null;
}

/** How to write it again where what was written is too loud, too soft or clips; null where it is well. */
function corrected(levels: Levels, { integrated_lufs, peak_db }: Loudness): Levels | null {
  const excess_db = Math.max(0, (peak_db ?? -Infinity) - MOST_PEAK_DBTP);
  const off_lu = integrated_lufs === null ? 0 : PROGRAMME_LUFS - integrated_lufs;
  const gain_db = Math.min(MOST_GAIN_DB, levels.gain_db + off_lu);
  const isOff = Math.abs(off_lu) > TOLERANCE_LU && gain_db !== levels.gain_db;
  if (excess_db === 0 && !isOff) return null;
  return {
    gain_db: isOff ? gain_db : levels.gain_db,
    ceiling_db: levels.ceiling_db - (excess_db === 0 ? 0 : excess_db + 0.3),
    // The limiter is to work whatever the samples say.
    peak_db: excess_db === 0 ? levels.peak_db : 0,
  };
}

const gainOfOriginal = (integrated_lufs: number | null) =>
  integrated_lufs === null ? 0 : Math.min(MOST_GAIN_OF_ORIGINAL_DB, PROGRAMME_LUFS - integrated_lufs);

function unusual({ integrated_lufs }: Loudness, duration_ms: number): UnusualLoudness | null {
  if (duration_ms < SHORTEST_MS) return 'too_short';
  if (integrated_lufs === null) return 'silent';
  return Math.abs(integrated_lufs - PROGRAMME_LUFS) > 1 ? 'faint' : null;
}

/** One where the original has one, two where it has more. */
async function channelsOf(
  tools: MediaTools,
  { media, track }: NonNullable<Dub['original']>,
  signal: AbortSignal | undefined,
): Promise<1 | 2> {
  const entries = ['-select_streams', `a:${track - 1}`, '-show_entries', 'stream=channels'];
  const answer = await runFfprobe(tools, entries, { timeout_ms: PROBE_TIMEOUT_MS, media, signal });
  const [stream] = (answer as { streams?: { channels?: number }[] }).streams ?? [];
  if (!stream?.channels) throw audioTrackMissing(`The media have no audio track ${track} to speak over.`);
  return stream.channels === 1 ? 1 : 2;
}

const PROBE_TIMEOUT_MS = 120_000;

/** Passes on what is written, and tells of the position. */
async function* watched(
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

/** Fractions of the whole that never fall, whatever has to be done again. */
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
