/** Runs a machine of `state-machines/` in the real executor. Its steps are fakes, and succeed if a test does not replace them. */
import { groupsOf } from '../../lambdas/voice-over/rules/progress-parts.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import {
  type FakeFunction,
  FunctionError,
  functionArn,
  run,
  type Setup,
} from '../../local/test/stepfunctions/harness.ts';
import { jobFailure } from '../../platform/jobs/job-failure.ts';

export type { FakeFunction };
export type Steps = Readonly<Record<string, FakeFunction>>;

// Step Functions quotas: "Maximum execution history size", "Maximum input or output size".
export const MOST_EVENTS = 25_000;
export const MOST_BYTES = 256 * 1024;

export const job = {
  tenant: 'demo',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
};

const definitions = readDefinitions();

export const range = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

const translation: FakeFunction = ({ language_id }) => ({
  ...{ language_id, transcription_id: 't', version: 1, characters: 9 },
});

/** The steps whose result the machines read. */
export const succeeding: Steps = {
  ProbeMedia: () => ({ has_audio: true, has_video: true }),
  PrepareAudio: () => ({ audio: { key: 'audio', duration_ms: 1000 }, pieces: range(2) }),
  TranscribePiece: () => ({ status: 'done', retry_after_s: 0 }),
  DescribeSounds: () => ({ analyses: { sound_descriptions: { status: 'ready', error: null } } }),
  PlanPictures: () => ({ spans: range(2) }),
  MergePictures: () => ({ analyses: { camera_shoots: { status: 'ready', error: null } } }),
  AnalyzeText: () => ({ analyses: { metadata: { status: 'ready', error: null } } }),
  ClearIngest: () => ({ quiet: true }),
  TranslateIngest: translation,
  TranslateLanguage: translation,
  PlanTranslation: planOf('languages', 'language_id', ['es']),
  PlanVoiceOver: planOf('languages', 'language_id', ['es']),
  PlanDub: () => ({ groups: groupsOf(20), mux: false }),
  MixDub: ({ language_id }) => ({ language_id, audio_track_id: 't', video: null }),
  MuxDub: ({ made }) => ({ ...made, video: 'made' }),
  PlanClips: planOf('clips', 'video_clip_id', ['a']),
  PlanClip: () => ({ state: 'missing', file: 'f', lanes: 0, parts: [], rendered: 0, reused: 0 }),
  RenderChunk: () => ({ done: true }),
  JoinClip: ({ video_clip_id, file, rendered, reused }) => ({ video_clip_id, file, rendered, reused }),
  WriteExport: () => ({ written: true }),
  RemoveMedia: () => ({ exports: [], quiet: true }),
  DeliverEvent: () => ({ status: 'succeeded', retry_after_s: 0 }),
};

/** A step that plans the work on several items: `{ languages: [{ index: 0, languages: 1, language_id: 'es' }] }`. */
export function planOf(name: string, member: string, ids: readonly string[]): FakeFunction {
  return () => ({ [name]: ids.map((id, index) => ({ index, [name]: ids.length, [member]: id })) });
}

export const failing =
  (error: string, times = Number.POSITIVE_INFINITY, then: object = {}): FakeFunction =>
  (_, { count }) => {
    if (count < times) throw new FunctionError(error, 'a sentence');
    return then;
  };

export const failingFor =
  (step: string, member: string, value: string, error: string): FakeFunction =>
  (payload, call) => {
    if (payload[member] === value) throw new FunctionError(error, 'a sentence');
    return succeeding[step]?.(payload, call) ?? {};
  };

/** A step that Lambda refuses to run this many times. */
export const refusedBy =
  (error: string, times: number, step: string): FakeFunction =>
  (payload, call) => {
    if (call.count < times) throw Object.assign(new Error('refused'), { name: error });
    return succeeding[step]?.(payload, call) ?? {};
  };

export const hanging: FakeFunction = () => new Promise(() => {});

export async function runOf(
  machine: string,
  steps: Steps = {},
  { input = job, ...rest }: Pick<Setup, 'input' | 'random'> = {},
) {
  const { body, steps: all } = definitions.find(({ name }) => name === machine)!;
  const definition = JSON.parse(body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)));
  const functions = Object.fromEntries(
    all.map((step) => [step, steps[step] ?? succeeding[step] ?? (() => ({}))]),
  );
  const outcome = await run({ definition, functions, input, ...rest });
  const { invocations } = outcome;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the payload that its machine sends.
  const payloadsOf = (step: string): any[] =>
    invocations.filter(({ name }) => name === step).map(({ payload }) => payload);
  const [told] = payloadsOf(`Fail${machine}`);
  return {
    ...outcome,
    names: invocations.map(({ name }) => name),
    payloadsOf,
    timesOf: (step: string) => payloadsOf(step).length,
    failure: told && jobFailure(told.failure.Error, told.failure.Cause),
  };
}
