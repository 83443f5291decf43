/** Renders the sound of a clip in one piece. Encoded audio depends on earlier samples, so separate parts could not be joined. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined, itemAt } from '../../shared/checked-access.ts';
import { internalError } from '../../shared/job-errors.ts';
import { pictureToo } from '../ffmpeg/extract-sound.ts';
import { writeLocalFile } from '../ffmpeg/local-file.ts';
import { loudnessFilters, measureLoudness } from '../ffmpeg/measure-loudness.ts';
import { openSafely, runWithProgress } from '../ffmpeg/run-ffmpeg.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import { PROGRAMME_LUFS, PROGRAMME_RATE } from '../sound/broadcast-sound.ts';
import type { RenderedPart, RenderIo } from './render-io.ts';
import type { Chunk, Rate, RenderPlan } from './render-plan.ts';
import { timeOf } from './seek-source.ts';

/** Time limit, ms: shorter than the step's 15 minutes, so that the job gets the error of this limit. Three hours of sound take three minutes. */
const TIMEOUT_MS = 840_000;
/** Decoding starts this long before the wanted sound, because codecs need earlier packets. The sound before the wanted one is dropped. */
const LEAD_S = 5;
/** Bits a second for two channels, as in media/ffmpeg/mix-sound.ts. */
const BITS = 160_000;
/** The maximum true peak after amplification: −1 dBTP by EBU R128, minus 1 dB for peaks that the encoder may add. */
const MOST_PEAK_DB = -2;
const format = `aformat=sample_fmts=fltp:sample_rates=${PROGRAMME_RATE}:channel_layouts=stereo`;

type PartName = Chunk['part'];

/** The sound of one part of the clip. `media` is null for silence. */
interface SoundPart {
  readonly name: PartName;
  readonly samples: number;
  readonly media: OpenMedia | null;
}

/** Renders stereo AAC at 48 kHz that is exactly as long as the pictures. Returns null if no part of the clip has sound. */
export async function renderSound(plan: RenderPlan, io: RenderIo): Promise<RenderedPart | null> {
  const parts = partsOf(plan, io);
  if (parts.every(({ media }) => media === null)) return null;
  const gains: number[] = [];
  for (const part of parts) gains.push(plan.loudness === 'kept' ? 0 : await gainOf(plan, part, io));
  const heard = parts.filter(({ media }) => media !== null);
  const graph = parts.map((part, at) => {
    const chain = [...filtersOf(plan, part), ...(gains[at] === 0 ? [] : [`volume=${gains[at]}dB`])].join();
    const input = part.media === null ? '' : `[${heard.indexOf(part)}:a:${trackOf(plan, part)}]`;
    return `${input}${chain}[part${at}]`;
  });
  const all = parts.map((_, at) => `[part${at}]`).join('');
  const path = join(io.folder, 'sound.mp4');
  const seconds = (plan.frames * plan.output.frame_rate.den) / plan.output.frame_rate.num;
  const args = [
    ...heard.flatMap((part) => inputOf(plan, part)),
    ...['-filter_complex', [...graph, `${all}concat=n=${parts.length}:v=0:a=1[sound]`].join(';')],
    ...['-map', '[sound]', '-c:a', 'aac', '-aac_coder', 'fast', '-b:a', String(BITS)],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
    ...['-write_btrt', '0', '-progress', 'pipe:1', ...writeLocalFile(path, 'mp4')],
    ...(await alsoPictures(heard)),
  ];
  const file_bytes = Math.ceil(seconds * BITS) + (64 << 20);
  const running = { timeout_ms: TIMEOUT_MS, signal: io.signal, file_bytes };
  await runWithProgress(io.tools, args, running, ({ position_ms }) => io.reached?.(position_ms));
  for (const { media } of heard) defined(media).requireWhole();
  return { path, bytes: (await stat(path)).size };
}

function partsOf(plan: RenderPlan, io: RenderIo): SoundPart[] {
  const heard: Readonly<Record<PartName, OpenMedia | null | undefined>> = {
    intro: plan.intro?.has_audio === true ? io.intro : null,
    clip: plan.source.audio_track === null ? null : io.source,
    outro: plan.outro?.has_audio === true ? io.outro : null,
  };
  let frames = 0;
  return (['intro', 'clip', 'outro'] as const).flatMap((name) => {
    const own = plan.chunks.filter(({ part }) => part === name);
    if (own.length === 0) return [];
    const start = samplesIn(frames, plan.output.frame_rate);
    frames += own.reduce((sum, { start_frame, end_frame }) => sum + end_frame - start_frame, 0);
    const media = heard[name];
    if (media === undefined) throw internalError(`The ${name} is not opened.`);
    return [{ name, samples: samplesIn(frames, plan.output.frame_rate) - start, media }];
  });
}

const samplesIn = (frames: number, { num, den }: Rate) => Math.round((frames * den * PROGRAMME_RATE) / num);

/** Returns the position of the seek, and the number of samples from there to the start of the part. */
function startOf(plan: RenderPlan, { name }: SoundPart): { seek_s: number; lead: number } {
  if (name !== 'clip') return { seek_s: 0, lead: 0 };
  const at = timeOf(plan.source, plan.start_frame);
  const seek_s = Math.max(0, at - LEAD_S);
  return { seek_s, lead: Math.round((at - seek_s) * PROGRAMME_RATE) };
}

const trackOf = (plan: RenderPlan, { name }: SoundPart): number =>
  name === 'clip' ? defined(plan.source.audio_track) - 1 : 0;

function inputOf(plan: RenderPlan, part: SoundPart): string[] {
  const { seek_s } = startOf(plan, part);
  return [
    ...(seek_s > 0 ? ['-ss', seek_s.toFixed(6)] : []),
    '-threads',
    '1',
    ...openSafely(defined(part.media)),
  ];
}

/** Returns filters that produce exactly the samples of the part. A late start and gaps become silence. */
function filtersOf(plan: RenderPlan, part: SoundPart): string[] {
  const { samples, media } = part;
  if (media === null)
    return [`anullsrc=r=${PROGRAMME_RATE}:cl=stereo`, `atrim=end_sample=${samples}`, format];
  const { lead } = startOf(plan, part);
  return [
    // first_pts adds silence before a late start. async fills gaps longer than 0.1 s.
    `aresample=${PROGRAMME_RATE}:async=1:first_pts=0`,
    format,
    ...(lead < 0 ? [`adelay=delays=${-lead}S:all=1`] : []),
    'apad',
    `atrim=start_sample=${Math.max(0, lead)}:end_sample=${Math.max(0, lead) + samples}`,
    'asetpts=PTS-STARTPTS',
  ];
}

/** Returns the gain in dB that gives the loudness of a broadcast, or less if peaks require it. One gain for the whole part keeps its dynamics. */
async function gainOf(plan: RenderPlan, part: SoundPart, io: RenderIo): Promise<number> {
  if (part.media === null) return 0;
  const chain = [`[0:a:${trackOf(plan, part)}]${filtersOf(plan, part).join()}`, loudnessFilters('true')];
  const args = [
    ...[...inputOf(plan, part), '-filter_complex', `${chain.join()}[heard]`],
    ...['-map', '[heard]', '-f', 'null', '-', ...(await alsoPictures([part]))],
  ];
  const options = { timeout_ms: TIMEOUT_MS, media: part.media, signal: io.signal };
  const { integrated_lufs, peak_db } = await measureLoudness(io.tools, args, options);
  if (integrated_lufs === null) return 0;
  const gain = Math.min(PROGRAMME_LUFS - integrated_lufs, MOST_PEAK_DB - (peak_db ?? MOST_PEAK_DB));
  return Math.round(gain * 100) / 100;
}

/** Returns the arguments of `pictureToo` for the source of the clip. */
async function alsoPictures(heard: readonly SoundPart[]): Promise<string[]> {
  const at = heard.findIndex(({ name }) => name === 'clip');
  const args = at < 0 ? [] : await pictureToo(defined(itemAt(heard, at).media));
  return args.map((arg) => (arg === '0:v:0?' ? `${at}:v:0?` : arg));
}
