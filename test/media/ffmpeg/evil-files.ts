/** Runs a hostile file through every function that opens media, and checks the outcome of each step. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Faces } from '../../../engines/faces/port.ts';
import type { Ocr } from '../../../engines/ocr/port.ts';
import { findBoundaries } from '../../../engines/shots/frame-differences.ts';
import { convertFile } from '../../../lambdas/branding/actions/normalize-file.ts';
import { analyzeSpan } from '../../../lambdas/ingest/actions/analyze-span.ts';
import { planSpans } from '../../../lambdas/ingest/rules/picture-spans.ts';
import { listen } from '../../../local/listen.ts';
import { BYTES_PER_MS, extractSound } from '../../../media/ffmpeg/extract-sound.ts';
import { decideDuration } from '../../../media/ffmpeg/measure-duration.ts';
import { extractParts } from '../../../media/ffmpeg/mix-sound.ts';
import { muxTracks } from '../../../media/ffmpeg/mux-tracks.ts';
import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { type MediaTools, type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { inspectSource } from '../../../media/rendering/inspect-source.ts';
import { joinClip } from '../../../media/rendering/join-clip.ts';
import { outputOf } from '../../../media/rendering/plan-render.ts';
import { renderChunk } from '../../../media/rendering/render-chunk.ts';
import type { RenderPlan } from '../../../media/rendering/render-plan.ts';
import { renderSound } from '../../../media/rendering/render-sound.ts';
import { JobError, mediaUnreadable } from '../../../shared/job-errors.ts';
import { MEDIA_LIMITS, type MediaInfo, type RangeSource } from '../../../shared/media.ts';
import { withFile } from '../../fixtures/file-source.ts';
import type { Facts } from '../../support/evil/kinds.ts';
import type { EvilFile } from '../../support/evil-files.ts';
import { planned, sourceOf } from '../rendering/rendered.ts';

/** The outcome of one step for a file. */
export type Ending =
  | { readonly facts: Readonly<Record<string, unknown>> }
  | { readonly code: string; readonly detail: string; readonly cause: string };

interface At {
  readonly tools: MediaTools;
  readonly folder: string;
  /** Path of an MP4 with a second of sound. */
  readonly track: string;
  /** Collects the ports at which the hostile file itself is served. */
  readonly ports?: Set<number>;
  /** The engines that find faces and read texts. Without engines, the step skips both. */
  readonly engines?: { readonly faces: Faces; readonly ocr: Ocr } | undefined;
}

export const canaryText = 'CANARY-7d1f';
const TIMEOUT_MS = 60_000;
const refusals = ['media_unreadable', 'media_limit_exceeded'];

/** Names of the test files that refer to other files. A program without limits would open these others. */
export const references =
  /^(?:concat script|HLS in ID3|RIFF of RMP3|WAV with a playlist|MOV with|Matroska with (?:linked|an att)).* of a/;

/** Starts a server on the loopback address that counts connections. */
export async function trap() {
  let calls = 0;
  const server = createServer((_, response) => response.end('#EXTM3U\n'));
  server.on('connection', () => {
    calls += 1;
  });
  const { url: address } = await listen(server, 0);
  return { address, calls: () => calls, close: () => server.close() };
}

type Step = (media: OpenMedia, at: At, found: MediaInfo | null) => Promise<Record<string, unknown>>;

/** All functions that open media, by the step that uses each. Each runs even if earlier ones failed. */
export const steps: Readonly<Record<string, Step>> = {
  ProbeMedia: async (media, { tools }) => ({ ...(await probeMedia(tools, media, MEDIA_LIMITS)) }),
  PrepareAudio: async (media, { tools }, found) => {
    let bytes = 0;
    const options = {
      timeout_ms: TIMEOUT_MS,
      max_ms: MEDIA_LIMITS.max_duration_ms,
      claimed_ms: found?.duration_ms ?? 0,
    };
    for await (const piece of extractSound(tools, media, 1, options)) bytes += piece.length;
    const heard_ms = Math.floor(bytes / BYTES_PER_MS);
    // `extractSpeech` makes the same check.
    if (heard_ms === 0) throw mediaUnreadable('The audio track is empty.');
    const claim = { claimed_ms: found?.duration_ms ?? 0, has_video: found?.video != null, heard_ms };
    return { heard_ms, duration_ms: await decideDuration(tools, media, claim) };
  },
  CheckBrandingFile: async (media, { tools, folder }) => {
    const given = { tools, media, output: join(folder, 'normal'), timeout_ms: TIMEOUT_MS };
    return { ...(await convertFile('branding_overlays', given)).form };
  },
  MixDub: async (media, { tools, folder }) => {
    const [sound, speech] = [join(folder, 'sound.flac'), join(folder, 'speech.flac')];
    const parts = { media, track: 1, channels: 2 as const, path: sound };
    const spoken = { path: speech, duration_ms: 1000 };
    await extractParts(tools, silence(), {
      sound: parts,
      speech: spoken,
      options: { timeout_ms: TIMEOUT_MS },
    });
    return {};
  },
  MuxDub: async (media, { tools, folder, track }) => {
    const tracks = [{ path: track, language: 'spa', title: 'Spanish', isDefault: true }];
    const { container } = await muxTracks({ media, tracks, output: join(folder, 'muxed') }, { tools });
    return { container };
  },
  LookAtPictures: async (media, { tools, engines }, found) => {
    const { width, height } = found?.video ?? { width: 64, height: 48 };
    const { duration_ms = 0 } = found ?? {};
    const [span] = planSpans({ width, height, frame_rate: 25, mc_model: 'normal' }, duration_ms);
    const { seen } = await analyzeSpan({
      ...{ tools, media, width, height, span: span!, languages: ['en'] },
      ...{ shots: { boundaries: findBoundaries } },
      ...{ faces: later(engines?.faces), ocr: later(engines?.ocr), timeout_ms: TIMEOUT_MS },
      ...{ signal: new AbortController().signal, reached: () => {} },
    });
    return { frames: seen.frames };
  },
  RenderClip: async (media, at) => {
    const source = await lookedAt(media, at);
    const request = { start_frame: 0, end_frame: Math.min(source.frames, MOST_FRAMES) };
    const upright = planned(source, {
      ...request,
      output: outputOf(source, { x: 9, y: 16 }),
      loudness: 'programme',
    });
    return rendered(upright, media, at);
  },
  RenderLastFrame: async (media, at) => {
    const source = await lookedAt(media, at);
    return rendered(planned(source, { start_frame: source.frames - 1, loudness: 'programme' }), media, at);
  },
  CopyClip: async (media, at) => {
    const source = await lookedAt(media, at);
    const [first = 0, ...others] = source.clean_frames ?? [];
    const end = others.at(-1);
    if (end === undefined) return {};
    const plan = planned(source, { start_frame: first, end_frame: end });
    return plan.chunks[0]!.how === 'copy' ? joined(plan, [media], null) : {};
  },
};

/** Returns the engine lazily, as a step does. */
const later = <Engine>(engine: Engine | undefined) => (engine === undefined ? null : async () => engine);

/** The most frames of a clip. More would test nothing else. */
const MOST_FRAMES = 50;

const lookedAt = (media: OpenMedia, { tools }: At) => inspectSource(tools, media, { audio_track: 1 });

async function rendered(plan: RenderPlan, media: OpenMedia, { tools, folder }: At) {
  const own = await mkdtemp(join(folder, 'clip-'));
  const io = { tools, source: media, folder: own };
  try {
    const chunks: RangeSource[] = [];
    for (const [at, { how }] of plan.chunks.entries())
      chunks.push(how === 'copy' ? media : await sourceOf((await renderChunk(plan, at, io)).path));
    const sound = await renderSound(plan, io);
    return await joined(plan, chunks, sound && (await sourceOf(sound.path)));
  } finally {
    await rm(own, { recursive: true });
  }
}

async function joined(plan: RenderPlan, chunks: readonly RangeSource[], sound: RangeSource | null) {
  const clip = await joinClip(plan, { chunks, sound });
  const given = chunks.reduce((sum, { size }) => sum + size, sound?.size ?? 0);
  if (clip.size_bytes > given + MOST_INDEX_BYTES)
    throw new Error(`The clip has ${clip.size_bytes} bytes, and what it was made of ${given}.`);
  let bytes = 0;
  for await (const piece of clip.bytes) bytes += piece.length;
  if (bytes !== clip.size_bytes) throw new Error(`The clip has ${bytes} bytes, not ${clip.size_bytes}.`);
  return { frames: plan.frames, bytes };
}

const MOST_INDEX_BYTES = 1 << 20;

async function* silence() {
  yield Buffer.alloc(4 * 48_000);
}

/** Runs the named steps on a hostile file. Returns the outcome of each. */
export async function ended(
  evil: EvilFile,
  names: readonly string[],
  at: At,
): Promise<Record<string, Ending>> {
  const path = join(at.folder, 'evil');
  await writeFile(path, evil.bytes());
  const endings: Record<string, Ending> = {};
  try {
    let found: MediaInfo | null = null;
    for (const name of names) {
      const ending = await withFile(path, (source) =>
        withOpenMedia(source, (media) => {
          at.ports?.add(Number(new URL(media.address).port));
          return one(steps[name]!, media, at, found);
        }),
      );
      endings[name] = ending;
      if (name === 'ProbeMedia' && 'facts' in ending) found = ending.facts as unknown as MediaInfo;
    }
    return endings;
  } finally {
    await rm(path);
  }
}

async function one(step: Step, media: OpenMedia, at: At, found: MediaInfo | null): Promise<Ending> {
  try {
    return { facts: await step(media, at, found) };
  } catch (error) {
    if (!(error instanceof JobError))
      return { code: 'no JobError', detail: String(error), cause: String((error as Error).stack) };
    return { code: error.code, detail: error.detail, cause: String(error.cause) };
  }
}

export function faultsOf({ expected }: EvilFile, endings: Record<string, Ending>): string[] {
  const faults = Object.entries(endings).flatMap(([name, ending]) =>
    'code' in ending && !refusals.includes(ending.code)
      ? `${name}: ${ending.code} ${ending.detail} ${ending.cause}`
      : [],
  );
  if (JSON.stringify(endings).includes(canaryText)) faults.push('The result shows the canary file');
  const { ProbeMedia: probed, PrepareAudio: heard } = endings;
  if (probed === undefined) return faults;
  const isReady = 'facts' in probed && (heard === undefined || 'facts' in heard || !hasSound(probed));
  if (expected === 'refused') return isReady ? [...faults, `accepted: ${JSON.stringify(endings)}`] : faults;
  if (typeof expected !== 'object') return faults;
  if (!('detail' in expected)) return [...faults, ...wrong(expected, endings, isReady)];
  const isSaid = 'code' in probed && expected.detail.test(probed.detail);
  return isSaid ? faults : [...faults, `not refused as it should be: ${JSON.stringify(probed)}`];
}

const hasSound = (ending: Ending) =>
  'facts' in ending && (ending.facts as unknown as MediaInfo).audio.length > 0;

function wrong(expected: Facts, endings: Record<string, Ending>, isReady: boolean): string[] {
  if (!isReady) return [`refused: ${JSON.stringify(endings)}`];
  const facts = (endings.ProbeMedia as { facts: Record<string, unknown> }).facts as unknown as MediaInfo;
  const heard = endings.PrepareAudio;
  const lasts = heard && 'facts' in heard ? Number(heard.facts.duration_ms) : facts.duration_ms;
  const { duration_ms, size } = expected;
  const found = facts.video && [facts.video.width, facts.video.height];
  const faults: string[] = [];
  if (duration_ms !== undefined && Math.abs(lasts - duration_ms) > 150)
    faults.push(`lasts ${lasts} ms, not ${duration_ms}`);
  if (size !== undefined && found?.join() !== size.join()) faults.push(`is ${found}, not ${size}`);
  return faults;
}
