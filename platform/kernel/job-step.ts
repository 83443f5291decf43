/**
 * A step of a job. It does not begin for a job that was canceled, and hears of it while it works: StopExecution ends a
 * state machine but not the function that it waits for, so a step looks for itself and ends what it started. It also
 * ends what it started before its own time is up: a function that Lambda ends cannot say why.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { JobType } from '../../contract/kit/job-kinds.ts';
import type { JobId } from '../../shared/ids.ts';
import { timedOut } from '../../shared/job-errors.ts';
import type { StoredJob } from '../../shared/jobs.ts';
import type { TenantId } from '../../shared/tenant.ts';
import type { Named } from '../steps/define-step.ts';
import { Canceled, type StepContext, step, type TenantInput } from './step.ts';

export interface JobInput extends TenantInput {
  readonly job_id: JobId;
}

export interface JobContext<Job> extends StepContext {
  /** The job as it was when the step began. */
  readonly job: Job;
  /** Aborted when the job was canceled, has failed or is gone, and shortly before time is up; ffmpeg and recognisers end with it. */
  readonly signal: AbortSignal;
}

/** How often a step looks whether its job is still wanted, in ms: what it started ends within five seconds. */
const LOOK_MS = 2000;
/** For work that ends by itself and must not go on after its step. */
export const TO_ITS_END = 900_000;
/** How long work may take to notice that it was aborted, in ms, before its step ends without it. */
const PATIENCE_MS = 3000;
/** What is left of the time when work is aborted for want of it, ms: to end it, and to say so. */
const LEAVE_MS = 20_000;
/** The same for steps that have little time, as a share of it. */
const LEAVE_SHARE = 0.1;

/**
 * Makes the Lambda of a job's step.
 * @param find reads the step's job; null where it is gone
 * @param patienceMs how long work that was aborted is waited for; what cannot be left half done is waited for to its end
 */
export function jobStep<Given extends JobInput, Result, Job extends StoredJob<JobType>>(
  settings: Named,
  find: (input: Given, tenant: TenantId) => Promise<Job | null>,
  work: (input: Given, context: JobContext<Job>) => Promise<Result>,
  patienceMs = PATIENCE_MS,
) {
  return step<Given, Result>(settings, async (input, context) => {
    const job = wanted(await find(input, context.tenant));
    const aborted = new AbortController();
    const ended = new AbortController();
    const wasFailed = job.status === 'failed';
    const watching = Promise.all([
      watch(() => find(input, context.tenant), wasFailed, aborted, ended.signal),
      abortInTime(context.leftMs(), aborted, ended.signal),
    ]);
    try {
      const working = work(input, { ...context, job, signal: aborted.signal });
      return await Promise.race([working, overdue(aborted.signal, ended.signal, patienceMs)]);
    } catch (error) {
      if (aborted.signal.aborted) throw aborted.signal.reason;
      // What was removed while it was worked on is missed in many ways: why, the job tells.
      throw (await isUnwanted(() => find(input, context.tenant))) ? new Canceled() : error;
    } finally {
      ended.abort();
      await watching;
    }
  });
}

/** A job that ended otherwise may have a step repeated that ended it. */
function wanted<Job extends StoredJob<JobType>>(job: Job | null): Job {
  if (job === null || job.status === 'canceled') throw new Canceled();
  return job;
}

/** False where that cannot be read now: the step then fails with what it failed with. */
function isUnwanted(look: () => Promise<StoredJob<JobType> | null>): Promise<boolean> {
  return look().then(
    (job) => job === null || job.status === 'canceled',
    () => false,
  );
}

/** @param wasFailed a repeat of a step that ends a job as failed finds it so, and goes on to its end */
async function watch<Job extends StoredJob<JobType>>(
  look: () => Promise<Job | null>,
  wasFailed: boolean,
  aborted: AbortController,
  ended: AbortSignal,
): Promise<void> {
  while (await passes(LOOK_MS, ended)) {
    try {
      const { status } = wanted(await look());
      // Its execution ended without it, and what it makes now would belong to nobody.
      if (status === 'failed' && !wasFailed) throw new Canceled();
    } catch (error) {
      // What keeps the table from being read now may be over at the next look.
      if (!(error instanceof Canceled)) continue;
      aborted.abort(error);
      return;
    }
  }
}

async function abortInTime(left_ms: number, aborted: AbortController, ended: AbortSignal): Promise<void> {
  if (await passes(left_ms - toLeave(left_ms), ended)) aborted.abort(outOfTime());
}

/** What is left of so much time when work is aborted, ms. */
export const toLeave = (left_ms: number): number => Math.min(LEAVE_MS, left_ms * LEAVE_SHARE);

const outOfTime = () =>
  timedOut('A step took longer than it may. Create the job again; use a shorter asset if it stays.');

/** Rejects where work goes on long after it was aborted. */
async function overdue(aborted: AbortSignal, ended: AbortSignal, patienceMs: number): Promise<never> {
  await new Promise((resolve) => {
    aborted.addEventListener('abort', resolve, { once: true });
    ended.addEventListener('abort', resolve, { once: true });
  });
  await passes(patienceMs, ended);
  throw aborted.reason;
}

/** True when the time has passed, false when `ended` came first. */
async function passes(ms: number, ended: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal: ended });
    return true;
  } catch {
    return false;
  }
}
