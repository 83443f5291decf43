/** Jobs: work that goes on after its request was answered. */
import type { JobType, jobMachines } from '../contract/kit/job-kinds.ts';
import type { JobView, JobViewOf } from '../contract/kit/jobs.ts';
import type { JobFailure } from './assets.ts';
import type { JobId } from './ids.ts';
import type { Pace } from './pace.ts';

export type { JobType } from '../contract/kit/job-kinds.ts';
export type { JobView, JobViewOf } from '../contract/kit/jobs.ts';

export type JobStatus = JobView['status'];
/** What a kind of job results in. */
export type JobResult<Type extends JobType> = NonNullable<JobViewOf<Type>['result']>;
export type JobItem<Type extends JobType> = JobViewOf<Type>['items'][number];

/** A job as it is kept: what callers see, and what its machine needs. */
export type StoredJob<Type extends JobType = JobType, Own = object> = JobViewOf<Type> & {
  /** Machine that does it. */
  readonly machine: (typeof jobMachines)[number];
  /** What its execution is started with, beside the tenant. */
  readonly input: Readonly<Record<string, string>>;
  /** What only this kind's own code reads. */
  readonly own: Own;
  /** Parts that it works on, once it is known how many. */
  readonly parts_planned?: number;
  /** Those in which its pictures are looked at. */
  readonly pictures_planned?: number;
  /** How fast the work went lately, and that on pictures beside it. */
  readonly pace?: Pace;
  readonly picture_pace?: Pace;
};

/** What is written with a job's progress: when it is expected to be ready, and what that is derived from. */
export type Forecast = Partial<Pick<StoredJob, 'estimated_ready_at' | 'pace' | 'picture_pace'>>;

/** States that never change again. */
export const terminalStates: readonly JobStatus[] = [
  'succeeded',
  'partially_succeeded',
  'failed',
  'canceled',
];

export const isTerminal = (status: JobStatus): boolean => terminalStates.includes(status);

/** What every job is before its work begins, whatever it works on. */
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

/** An item for each language, before its work begins. */
export const queuedLanguages = (ids: readonly string[]) =>
  ids.map((language_id) => ({
    language_id,
    status: 'queued' as const,
    progress: 0,
    error: null,
    result: null,
  }));

/** What is kept of parts and branches, one attribute each: platform/jobs/part-progress.ts, branches.ts. */
const ofParts = /^(?:parts?|pictures?|branch|ready_branch)_/;
const internal = ['pk', 'sk', 'machine', 'input', 'own', 'pace'];

/** The job as callers see it. */
export function jobView<Type extends JobType>(stored: StoredJob<Type>): JobViewOf<Type> {
  const seen = Object.entries(stored).filter(([name]) => !internal.includes(name) && !ofParts.test(name));
  // Jobs that were recorded before there were estimates have none.
  return { estimated_ready_at: null, ...Object.fromEntries(seen) } as JobViewOf<Type>;
}

/** How a job ends that has a result: as its items did, where it has any. */
export const endOf = (items: readonly { readonly status: JobStatus }[]) =>
  items.some(({ status }) => status === 'failed' || status === 'partially_succeeded')
    ? ('partially_succeeded' as const)
    : ('succeeded' as const);

/** What is said of a job that somebody ended. */
export const canceledFailure: JobFailure = {
  code: 'canceled',
  title: 'The job was canceled',
  detail: 'Somebody ended the job before it was done. What it had made is removed.',
  retryable: true,
};
