/**
 * Declares the function of a step: its settings, beside its handler. `lib/` reads only the constant `settings` of each
 * file in `lambdas/<subject>/steps/`, not the handler. So `settings` may use only this module and the lists of the
 * contract.
 */
import type { MachineName } from '../../contract/kit/job-kinds.ts';
import type { Permissions } from './permissions.ts';

/** The part of the settings that handlers read. */
export type Named = Pick<FunctionSettings, 'name'>;

/** Settings of any function that no request invokes. */
export interface FunctionSettings {
  /** Logical id of the function: the name of its file in PascalCase. */
  readonly name: string;
  readonly description: string;
  /** MB. At 1769 MB, Lambda gives one whole processor. */
  readonly memory: number;
  /** Seconds. */
  readonly timeout: number;
  readonly permissions: Permissions;
  /** The function writes to the outbox and starts deliveries. It gets the permission `admin`, and may start DeliverEvent. */
  readonly publishes?: true;
  readonly starts?: readonly MachineName[];
  /** State machines whose executions the function may describe. */
  readonly watches?: readonly MachineName[];
  /** The function gets the address of the API, and calls it as any client does. */
  readonly callsApi?: true;
}

/** A step is a Task of a state machine. The Task waits a little longer than `timeout`, so that the function reports a time-out itself. */
export interface StepSettings<Input = object> extends FunctionSettings {
  /** A sample input, for `npm run invoke` and `sam local invoke`. */
  readonly event: Sample<Input>;
  /** The step runs ffmpeg, so its function is a container image with ffmpeg. */
  readonly ffmpeg?: true;
  /** MiB of `/tmp` for a step that runs ffmpeg. Default: 512, the minimum of Lambda. */
  readonly room?: number;
}

/** A schedule runs at fixed intervals and belongs to no tenant. */
export interface ScheduleSettings extends FunctionSettings {
  /**
   * Minutes from one run to the next. The time-out is shorter, so runs do not overlap. Null if the settings of the
   * environment decide whether and how often it runs.
   */
  readonly everyMinutes: number | null;
}

/** A listener runs when executions of state machines end. */
export interface ListenerSettings extends FunctionSettings {
  /** The machines whose executions it listens to. */
  readonly hears: readonly MachineName[];
}

/** The type of a sample value. Ids are plain text here, without a type for each kind of id. */
type Sample<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Sample<Item>[]
    : Value extends object
      ? { readonly [Member in keyof Value]: Sample<Value[Member]> }
      : Value;

export function defineStep<Input>(settings: StepSettings<Input>) {
  const { publishes, permissions, starts = [] } = settings;
  const publishing = {
    permissions: { ...permissions, admin: true },
    starts: [...starts, 'DeliverEvent'],
  } as const;
  return { kind: 'step', ...settings, ...(publishes && publishing) } as const;
}

export const defineSchedule = (settings: ScheduleSettings) => ({ kind: 'schedule', ...settings }) as const;

export const defineListener = (settings: ListenerSettings) => ({ kind: 'listener', ...settings }) as const;

export const sampleJob = {
  tenant: 'demo',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
};

export const sampleSpan = {
  index: 0,
  start_ms: 0,
  end_ms: 12_000,
  is_last: true,
  sample_ms: 1000,
  tile_ms: 1000,
  is_sparse: false,
};

export const sampleLanguage = {
  ...sampleJob,
  kind: 'voice_over' as const,
  index: 0,
  languages: 1,
  language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
};

export const sampleGroups = { ...sampleLanguage, groups: 2 };

/** The result of MixDub in sample events. */
export const sampleDub = {
  language_id: sampleLanguage.language_id,
  audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42',
  transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f11',
  transcription_version: 1,
  codec: 'aac',
  channels: 2,
  sample_rate: 48000,
  duration_ms: 61440,
  size_bytes: 983040,
  synthesised: 25,
  kept: 0,
  missing_count: 0,
  video: null,
};

export const sampleClip = {
  ...sampleJob,
  kind: 'clips' as const,
  index: 0,
  clips: 1,
  video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
};

export const samplePlanned = { ...sampleClip, file: '8f2d6c1b0a9e4f37c5d28b61e09a7f43', lanes: 1 };

/** Sample event of steps that work on a branding file. */
export const sampleUpload = {
  tenant: 'demo',
  type: 'branding_overlays' as const,
  file_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
  job_id: '019a9d2f-6f06-7b16-8c06-0c7b6a5d4e06',
};
