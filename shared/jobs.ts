/** Jobs: work that continues after the response to its request. */
import type { JobMachine, JobType } from '../contract/kit/job-kinds.ts';
import type { JobView, JobViewOf } from '../contract/kit/jobs.ts';
import type { JobFailure } from './assets.ts';
import type { JobId } from './ids.ts';
import type { Pace } from './pace.ts';

export type { JobType } from '../contract/kit/job-kinds.ts';
export type { JobView, JobViewOf } from '../contract/kit/jobs.ts';

export type JobStatus = JobView['status'];
export type JobResult<Type extends JobType> = NonNullable<JobViewOf<Type>['result']>;
export type JobItem<Type extends JobType> = JobViewOf<Type>['items'][number];

/** A stored job: the fields that callers see, and those that its machine needs. */
export type StoredJob<Type extends JobType = JobType, Own = object> = JobViewOf<Type> & {
  readonly machine: JobMachine;
  /** The input of the job's execution, in addition to the tenant. */
  readonly input: Readonly<Record<string, string>>;
  /** Data that are specific to this kind of job. */
  readonly own: Own;
  /** The number of parts; absent before the job is planned. */
  readonly parts_planned?: number;
  readonly pictures_planned?: number;
  /** The recent pace of the parts. `picture_pace` is the pace of the pictures, which are analyzed in parallel to the parts. */
  readonly pace?: Pace;
  readonly picture_pace?: Pace;
  /** When the expected end was computed, ms since the epoch. */
  readonly estimated_at?: number;
};

/** Fields that are written with the progress of a job: the expected end, and the pace. */
export type Forecast = Partial<
  Pick<StoredJob, 'estimated_ready_at' | 'estimated_at' | 'pace' | 'picture_pace'>
>;

export const terminalStates: readonly JobStatus[] = [
  'succeeded',
  'partially_succeeded',
  'failed',
  'canceled',
];

export const isTerminal = (status: JobStatus): boolean => terminalStates.includes(status);

export const queued = (jobId: JobId, now: Date) => ({
  job_id: jobId,
  status: 'queued' as const,
  progress: 0,
  items: [],
  result: null,
  error: null,
  created_at: now.toISOString(),
  started_at: null,
  estimated_ready_at: null,
  finished_at: null,
});

/** The state of an item before its work begins. */
export const queuedItem = { status: 'queued', progress: 0, error: null, result: null } as const;

export const failedItem = (error: JobFailure) =>
  ({ status: 'failed', progress: 0, error, result: null }) as const;

export const succeededItem = <Result>(result: Result) =>
  ({ status: 'succeeded', progress: 1, error: null, result }) as const;

/** An item for each language, before its work begins. */
export const queuedLanguages = (ids: readonly string[]) =>
  ids.map((language_id) => ({ language_id, ...queuedItem }));

/** Attributes that store the progress of parts and branches (platform/jobs/part-progress.ts, branch-progress.ts). */
const ofParts = /^(?:parts?|pictures?|branch|ready_branch)_/;
const internal = ['pk', 'sk', 'machine', 'input', 'own', 'pace', 'estimated_at'];

export function jobView<Type extends JobType>(stored: StoredJob<Type>): JobViewOf<Type> {
  const seen = Object.entries(stored).filter(([name]) => !internal.includes(name) && !ofParts.test(name));
  // Jobs of early versions have no estimate.
  return { estimated_ready_at: null, ...Object.fromEntries(seen) } as JobViewOf<Type>;
}

/** The final status of a job with a result. It is derived from the job's items, if there are any. */
export const endOf = (items: readonly { readonly status: JobStatus }[]) =>
  items.some(({ status }) => status === 'failed' || status === 'partially_succeeded')
    ? ('partially_succeeded' as const)
    : ('succeeded' as const);

export const canceledFailure: JobFailure = {
  code: 'canceled',
  title: 'The job was canceled',
  detail: 'A user canceled the job before it was done. Its results are removed.',
  retryable: true,
};
