/**
 * Media of every odd shape, which ffmpeg makes from a seed, and the expected result of their ingest. An undamaged file
 * must become ready. A damaged file must become ready, or be rejected with a reason.
 */
import { execFile } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BYTES_PER_MS, extractSound } from '../../../media/ffmpeg/extract-sound.ts';
import { decideDuration } from '../../../media/ffmpeg/measure-duration.ts';
import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { type MediaTools, type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { JobError } from '../../../shared/job-errors.ts';
import { chosenAudio, MEDIA_LIMITS, type MediaInfo } from '../../../shared/media.ts';
import { withFile } from '../../fixtures/file-source.ts';

/** The codecs that a container supports, by ffmpeg's names of encoders. */
interface Container {
  readonly video: readonly string[];
  readonly audio: readonly string[];
  /** The most audio tracks. */
  readonly tracks: number;
  /** The properties of a track that the container stores. */
  readonly keeps: readonly ('language' | 'rotation' | 'rate' | 'offset')[];
}

const containers: Readonly<Record<string, Container>> = {
  mp4: {
    video: ['libx264', 'mpeg4', 'mjpeg', 'libvpx-vp9'],
    audio: ['aac', 'libmp3lame', 'ac3', 'flac', 'libopus', 'alac'],
    tracks: 3,
    keeps: ['language', 'rotation', 'rate', 'offset'],
  },
  mov: {
    video: ['libx264', 'prores', 'mjpeg', 'qtrle', 'mpeg4'],
    audio: ['aac', 'pcm_s16le', 'pcm_s24be', 'alac', 'pcm_mulaw'],
    tracks: 3,
    keeps: ['language', 'rotation', 'rate', 'offset'],
  },
  mkv: {
    video: ['libx264', 'libvpx', 'mpeg2video', 'ffv1', 'libtheora', 'mjpeg'],
    audio: ['aac', 'libvorbis', 'libopus', 'flac', 'pcm_f32le', 'ac3', 'eac3', 'libmp3lame', 'truehd'],
    tracks: 3,
    keeps: ['language', 'rate', 'offset'],
  },
  webm: {
    video: ['libvpx', 'libvpx-vp9'],
    audio: ['libvorbis', 'libopus'],
    tracks: 2,
    keeps: ['language', 'rate', 'offset'],
  },
  ts: {
    video: ['libx264', 'mpeg2video'],
    audio: ['aac', 'mp2', 'ac3', 'libmp3lame'],
    tracks: 3,
    keeps: ['language', 'offset'],
  },
  mpg: { video: ['mpeg2video', 'mpeg1video'], audio: ['mp2', 'ac3'], tracks: 1, keeps: [] },
  avi: {
    video: ['mpeg4', 'mjpeg', 'libx264', 'ffv1'],
    audio: ['libmp3lame', 'pcm_s16le', 'ac3', 'adpcm_ms'],
    tracks: 2,
    keeps: [],
  },
  flv: { video: ['flv', 'libx264'], audio: ['aac', 'libmp3lame'], tracks: 1, keeps: [] },
  wmv: { video: ['wmv2', 'msmpeg4'], audio: ['wmav2', 'wmav1'], tracks: 1, keeps: [] },
  '3gp': { video: ['h263', 'mpeg4'], audio: ['aac'], tracks: 1, keeps: [] },
  ogg: { video: ['libtheora'], audio: ['libvorbis', 'libopus', 'flac'], tracks: 1, keeps: [] },
  m4a: { video: [], audio: ['aac', 'alac'], tracks: 2, keeps: [] },
  mp3: { video: [], audio: ['libmp3lame'], tracks: 1, keeps: [] },
  wav: {
    video: [],
    audio: ['pcm_s16le', 'pcm_u8', 'pcm_f32le', 'adpcm_ima_wav', 'pcm_alaw'],
    tracks: 1,
    keeps: [],
  },
  flac: { video: [], audio: ['flac'], tracks: 1, keeps: [] },
  aac: { video: [], audio: ['aac'], tracks: 1, keeps: [] },
  ac3: { video: [], audio: ['ac3'], tracks: 1, keeps: [] },
  aiff: { video: [], audio: ['pcm_s16be', 'pcm_s24be'], tracks: 1, keeps: [] },
  caf: { video: [], audio: ['pcm_s16le', 'alac'], tracks: 1, keeps: [] },
  au: { video: [], audio: ['pcm_s16be', 'pcm_mulaw'], tracks: 1, keeps: [] },
  w64: { video: [], audio: ['pcm_s16le'], tracks: 1, keeps: [] },
};

const rates = ['25', '30000/1001', '24', '50', '15', '60000/1001'];
const languages = ['eng', 'spa', 'ger', 'und', 'fra'];
const damages = ['truncated', 'flipped', 'lying', 'empty', 'junk before', 'zeros', 'junk after'] as const;

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Plan = ReturnType<typeof planOf>;

export function planOf(seed: number) {
  const next = random(seed);
  const chance = (share: number) => next() < share;
  const among = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
  const between = (low: number, high: number) => low + next() * (high - low);
  const container = among(Object.keys(containers));
  const can = containers[container]!;
  const hasVideo = can.video.length > 0 && chance(0.8);
  const wantsAudio = !hasVideo || chance(0.85);
  const count = wantsAudio ? (chance(0.3) ? can.tracks : 1) : 0;
  const tracks = Array.from({ length: count }, (_, at) => ({
    seconds: Number(between(0.6, 2.5).toFixed(2)),
    offset: can.keeps.includes('offset') && hasVideo && at === 0 && chance(0.2) ? 0.5 : 0,
    channels: among([1, 2, 2]),
    language: among(languages),
  }));
  const codec = can.video.length > 0 ? among(can.video) : '';
  // H.263 supports five sizes. Other codecs support any even size.
  const [width, height] =
    codec === 'h263' ? [176, 144] : [2 * Math.floor(between(8, 160)), 2 * Math.floor(between(8, 120))];
  return {
    seed,
    container,
    video: hasVideo
      ? {
          codec,
          width: width!,
          height: height!,
          rate: among(container === 'mpg' || codec.startsWith('mpeg') ? ['25', '30000/1001', '24'] : rates),
          isVariable: can.keeps.includes('rate') && chance(0.15),
          rotation: can.keeps.includes('rotation') && chance(0.3) ? among([90, 180, 270]) : 0,
          seconds: Number(between(0.6, 2.5).toFixed(2)),
        }
      : null,
    audio: audioIn(among(can.audio), tracks),
    hasCover: !hasVideo && ['mp3', 'm4a', 'flac'].includes(container) && chance(0.4),
    // A transport stream has no room for a long title.
    title: container !== 'ts' && chance(0.2) ? 'Title '.repeat(334) : 'T',
    isFragmented: ['mp4', 'mov'].includes(container) && chance(0.15),
    damage: chance(0.35) ? among(damages) : null,
  };
}

/** ffmpeg's TrueHD encoder does not support a single channel. */
const audioIn = <Track extends object>(codec: string, tracks: readonly Track[]) => ({
  codec,
  tracks: codec === 'truehd' ? tracks.map((track) => ({ ...track, channels: 2 })) : tracks,
});

async function make(plan: Plan, tools: MediaTools, folder: string): Promise<string> {
  const file = join(folder, `odd-${plan.seed}.${plan.container}`);
  const run = (...args: string[]) =>
    promisify(execFile)(tools.ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args]);
  await run(...argumentsOf(plan), file);
  if (plan.video?.rotation) await turn(file, plan, run);
  if (plan.damage !== null) await writeFile(file, damaged(await readFile(file), plan));
  return file;
}

/** ffmpeg writes a rotation only if it copies the picture. */
async function turn(file: string, plan: Plan, run: (...args: string[]) => Promise<unknown>): Promise<void> {
  const upright = `${file}.upright.${plan.container}`;
  await rename(file, upright);
  const copied = ['-map', '0', '-c', 'copy', '-metadata:s:v', `rotate=${plan.video!.rotation}`];
  await run('-i', upright, ...copied, ...movflags(plan), file);
  await rm(upright);
}

const movflags = ({ isFragmented }: Plan) =>
  isFragmented ? ['-movflags', 'frag_keyframe+empty_moov+delay_moov'] : [];

function argumentsOf(plan: Plan): string[] {
  const { video, audio, hasCover, title, container } = plan;
  const inputs: string[] = [];
  const maps: string[] = [];
  const input = (...args: string[]) => {
    inputs.push(...args);
    return maps.push('-map', String(maps.length / 2)) / 2 - 1;
  };
  const options: string[] = [];
  if (video) {
    const { width, height, rate, seconds, codec, isVariable } = video;
    input('-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${rate}:duration=${seconds}`);
    options.push('-c:v', codec, '-pix_fmt', pixels[codec] ?? 'yuv420p', '-threads', '1');
    if (codec === 'libx264') options.push('-preset', 'ultrafast');
    if (codec.startsWith('libvpx')) options.push('-deadline', 'realtime', '-cpu-used', '8');
    if (isVariable) options.push('-vf', "select='not(eq(mod(n,3),1))'", '-vsync', 'vfr');
  }
  for (const [at, { seconds, offset, channels, language }] of audio.tracks.entries()) {
    const sine = `sine=frequency=${330 + 110 * at}:sample_rate=48000:duration=${seconds}`;
    input(...(offset ? ['-itsoffset', String(offset)] : []), '-f', 'lavfi', '-i', sine);
    options.push(`-ac:a:${at}`, String(channels), `-metadata:s:a:${at}`, `language=${language}`);
  }
  if (audio.tracks.length > 0) options.push('-c:a', audio.codec, '-strict', '-2');
  if (hasCover) {
    input('-f', 'lavfi', '-i', 'color=red:size=64x64:duration=0.04:rate=25');
    options.push('-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-frames:v', '1', '-disposition:v', 'attached_pic');
  }
  options.push(...movflags(plan));
  if (container === 'aac') options.push('-f', 'adts');
  return [...inputs, ...maps, ...options, '-metadata', `title=${title}`];
}

const pixels: Readonly<Record<string, string>> = {
  prores: 'yuv422p10le',
  qtrle: 'rgb24',
  mjpeg: 'yuvj420p',
};

function damaged(bytes: Buffer, { seed, damage }: Plan): Buffer {
  const next = random(~seed);
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)));
  if (damage === 'truncated') return bytes.subarray(0, Math.floor(next() * bytes.length));
  if (damage === 'empty') return Buffer.alloc(0);
  if (damage === 'junk before') return Buffer.concat([noise(1 + Math.floor(next() * 5000)), bytes]);
  if (damage === 'junk after') return Buffer.concat([bytes, noise(1 + Math.floor(next() * 50_000))]);
  if (damage === 'zeros') {
    const at = Math.floor(next() * bytes.length);
    return Buffer.from(bytes).fill(0, at, at + Math.floor(next() * 4000));
  }
  if (damage === 'lying') return withDuration(Buffer.from(bytes), next());
  const flipped = Buffer.from(bytes);
  for (let i = 0; i < 1 + next() * 40; i += 1) {
    const at = Math.floor(next() * flipped.length);
    flipped[at] = flipped[at]! ^ (1 << Math.floor(next() * 8));
  }
  return flipped;
}

/**
 * Replaces the duration in the movie header (ISO/IEC 14496-12 §8.2.2) or in the segment (RFC 9559 §5.1.2.7) with a
 * wrong one. @param share of the longest duration, from 0 to 1
 */
export function withDuration(bytes: Buffer, share: number): Buffer {
  const mvhd = bytes.indexOf('mvhd');
  if (mvhd > 0) bytes.writeUInt32BE(Math.floor(share * 2 ** 32), mvhd + 20);
  const segment = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  if (segment > 0) bytes.writeDoubleBE(share * 1e10, segment + 3);
  return bytes;
}

type Outcome =
  | {
      readonly status: 'ready';
      readonly media: MediaInfo;
      readonly duration_ms: number;
      readonly heard_ms: number;
    }
  | { readonly status: 'refused'; readonly code: string; readonly detail: string; readonly cause: unknown };

/** Runs ProbeMedia and PrepareAudio on a file. */
async function ingested(file: string, tools: MediaTools): Promise<Outcome> {
  try {
    return await withFile(file, (source) => withOpenMedia(source, (media) => look(media, tools)));
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    return { status: 'refused', code: error.code, detail: error.detail, cause: error.cause };
  }
}

async function look(source: OpenMedia, tools: MediaTools): Promise<Outcome> {
  const media = await probeMedia(tools, source, MEDIA_LIMITS);
  const chosen = chosenAudio(media);
  if (chosen === null) return { status: 'ready', media, duration_ms: media.duration_ms, heard_ms: 0 };
  let bytes = 0;
  const options = {
    timeout_ms: 60_000,
    claimed_ms: media.duration_ms,
    max_ms: MEDIA_LIMITS.max_duration_ms,
  };
  for await (const piece of extractSound(tools, source, chosen.track.number, options)) bytes += piece.length;
  const heard_ms = Math.floor(bytes / BYTES_PER_MS);
  const claim = { claimed_ms: media.duration_ms, has_video: media.video !== null, heard_ms };
  return { status: 'ready', media, heard_ms, duration_ms: await decideDuration(tools, source, claim) };
}

const refusals = ['media_unreadable', 'media_limit_exceeded'];
/** The largest error of a duration, ms: padding that codecs add, and a frame of the slowest picture. */
const SLACK_MS = 180;

/** Returns the faults of an outcome; empty if it is right. */
function faultsOf(plan: Plan, outcome: Outcome): string[] {
  if (outcome.status === 'refused') {
    const isReasonable = refusals.includes(outcome.code) && outcome.detail.length > 20;
    const isAllowed = plan.damage !== null && plan.damage !== 'lying';
    return isReasonable && isAllowed ? [] : [`refused: ${outcome.code} ${outcome.detail} (${outcome.cause})`];
  }
  return plan.damage === null || plan.damage === 'lying' ? wrongFacts(plan, outcome) : [];
}

function wrongFacts(plan: Plan, { media, duration_ms, heard_ms }: Outcome & { status: 'ready' }): string[] {
  const { video, audio, container } = plan;
  const { keeps } = containers[container]!;
  const faults: string[] = [];
  const expectThat = (isSo: boolean, what: string) => void (isSo || faults.push(what));
  const near = (found: number, wanted: number) => Math.abs(found - wanted) <= SLACK_MS + wanted * 0.02;
  expectThat((media.video !== null) === (video !== null), `picture: ${JSON.stringify(media.video)}`);
  if (video && media.video) {
    const [width, height] = video.rotation % 180 ? [video.height, video.width] : [video.width, video.height];
    expectThat(
      media.video.width === width && media.video.height === height,
      `size: ${media.video.width}x${media.video.height}, not ${width}x${height}`,
    );
    const [num, den = 1] = video.rate.split('/').map(Number);
    const rate = media.video.frame_rate?.value ?? 0;
    const isConstant = keeps.includes('rate') && !video.isVariable && !plan.isFragmented;
    expectThat(
      !isConstant || Math.abs(rate / (num! / den) - 1) < 0.03,
      `frame rate: ${rate}, not ${video.rate}`,
    );
  }
  expectThat(media.audio.length === audio.tracks.length, `${media.audio.length} audio tracks`);
  for (const [at, wanted] of audio.tracks.entries()) {
    const found = media.audio[at];
    if (found === undefined) continue;
    expectThat(found.number === at + 1, `number ${found.number} of track ${at + 1}`);
    expectThat(found.channels === wanted.channels, `channels of ${at + 1}: ${found.channels}`);
    const code = ({ eng: 'en', spa: 'es', ger: 'de', fra: 'fr' } as Record<string, string>)[wanted.language];
    if (keeps.includes('language') && code) {
      expectThat(found.language === code, `language of ${at + 1}: ${found.language}, not ${code}`);
    }
  }
  const chosen = chosenAudio(media)?.track.number;
  const track = chosen === undefined ? undefined : audio.tracks[chosen - 1];
  if (track) {
    const end_ms = (track.seconds + track.offset) * 1000;
    expectThat(near(heard_ms, end_ms), `heard ${heard_ms} ms, not ${end_ms}`);
  }
  const ends = [video?.seconds ?? 0, ...audio.tracks.map(({ seconds, offset }) => seconds + offset)];
  const longest = Math.max(...ends) * 1000;
  const shortest = (video?.seconds ?? track?.seconds ?? 0) * 1000;
  const isWithin = duration_ms >= shortest - SLACK_MS * 2 && duration_ms <= longest + SLACK_MS * 2;
  expectThat(isWithin, `lasts ${duration_ms} ms, not ${shortest} to ${longest}`);
  return faults;
}

export async function tried(seed: number, tools: MediaTools, folder: string) {
  const plan = planOf(seed);
  const file = await make(plan, tools, folder);
  try {
    const outcome = await ingested(file, tools);
    return { plan, outcome, faults: faultsOf(plan, outcome) };
  } finally {
    await rm(file);
  }
}
