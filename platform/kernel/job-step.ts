/**
 * A step of a job. It does not start for a canceled job, and stops if the job is canceled meanwhile. StopExecution ends
 * a state machine, but not the function that the machine waits for: a step checks its job itself. It also stops its
 * work shortly before its own time-out, because a function that Lambda ends cannot report a reason.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { JobId, TenantId } from '../../shared/ids.ts';
import { timedOut } from '../../shared/job-errors.ts';
import type { JobType, StoredJob } from '../../shared/jobs.ts';
import { Jobs } from '../jobs/job-records.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import type { Named } from '../steps/define-step.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { Canceled, type StepContext, type StepInput, step, type TenantInput } from './step.ts';

export interface JobInput extends TenantInput {
  readonly job_id: JobId;
}

type WithStatus = Pick<StoredJob, 'status'>;

export interface JobContext<Job> extends StepContext {
  readonly job: Job;
  /** Aborted if the job was canceled, failed or deleted, and shortly before the time-out. The signal also stops ffmpeg and recognizers. */
  readonly signal: AbortSignal;
}

/** Interval in ms at which a step checks its job: its work stops within five seconds. */
const LOOK_MS = 2000;
/** A `patienceMs` for work that must not continue after its step: the step waits until the work ends. */
export const TO_ITS_END = 900_000;
/** Time in ms that aborted work has to stop. Afterwards the step ends, even if the work continues. */
const PATIENCE_MS = 3000;
/** Time in ms between the abort of the work and the time-out. In this time, the step stops the work and reports the reason. */
const LEAVE_MS = 20_000;
/** Replaces LEAVE_MS in steps with a short time-out: a share of the time-out. */
const LEAVE_SHARE = 0.1;

/**
 * Makes the Lambda of a job's step.
 * @param find reads the step's job; null if it was deleted
 * @param patienceMs ms that the step waits for aborted work to stop; TO_ITS_END for work that must not stop halfway
 */
export function jobStep<Given extends JobInput, Result, Job extends WithStatus>(
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
      // Work fails in many ways if its asset is deleted meanwhile. The job shows the actual reason.
      throw (await isUnwanted(() => find(input, context.tenant))) ? new Canceled() : error;
    } finally {
      ended.abort();
      await watching;
    }
  });
}

/** Throws Canceled for a deleted or canceled job. A job that ended otherwise passes: an earlier attempt of the step may have ended it. */
function wanted<Job extends WithStatus>(job: Job | null): Job {
  if (job === null || job.status === 'canceled') throw new Canceled();
  return job;
}

/** Whether the job was canceled or deleted. False if the job cannot be read: the step then rethrows the original error. */
function isUnwanted(look: () => Promise<WithStatus | null>): Promise<boolean> {
  return look().then(
    (job) => job === null || job.status === 'canceled',
    () => false,
  );
}

/** @param wasFailed whether an earlier attempt of this step recorded that the job failed */
async function watch<Job extends WithStatus>(
  look: () => Promise<Job | null>,
  wasFailed: boolean,
  aborted: AbortController,
  ended: AbortSignal,
): Promise<void> {
  while (await passes(LOOK_MS, ended)) {
    try {
      const { status } = wanted(await look());
      // The execution ended without this step. No later step would use or remove the results.
      if (status === 'failed' && !wasFailed) throw new Canceled();
    } catch (error) {
      // A failed read is ignored: the next check may succeed.
      if (!(error instanceof Canceled)) continue;
      aborted.abort(error);
      return;
    }
  }
}

async function abortInTime(left_ms: number, aborted: AbortController, ended: AbortSignal): Promise<void> {
  if (await passes(left_ms - toLeave(left_ms), ended)) aborted.abort(outOfTime());
}

/** The time in ms that is left when work is aborted, for a step with this time-out. */
export const toLeave = (left_ms: number): number => Math.min(LEAVE_MS, left_ms * LEAVE_SHARE);

const outOfTime = () =>
  timedOut('A step took longer than it may. Create the job again; use a shorter asset if it stays.');

/** Rejects if work still runs `patienceMs` after it was aborted. */
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

export interface AssetJobInput extends StepInput {
  readonly job_id: JobId;
  /** The kind of the job. Absent if the machine runs jobs of only one kind. */
  readonly kind?: JobType;
}

/** The core table, or the publishing table for a step that publishes events. */
type TableOf = (tenant: TenantId) => TenantTable;

interface StepOptions {
  readonly tableOf?: TableOf;
  readonly patienceMs?: number;
}

/** @param type the kind of the jobs. The input of a step may name another kind with the same type of `own`. */
export function subjectSteps<Type extends JobType, Own extends object, Services extends object>(
  type: Type,
  servicesOf: (tenant: TenantId, table: TenantTable) => Services,
) {
  const jobsIn = (table: TenantTable, tenant: TenantId, { kind = type }: AssetJobInput) =>
    new Jobs<Type, Own>(table, tenant, kind as Type);
  const servicesFor = (input: AssetJobInput, tenant: TenantId, tableOf: TableOf) => {
    const table = tableOf(tenant);
    return { ...servicesOf(tenant, table), jobs: jobsIn(table, tenant, input) };
  };
  type Known = ReturnType<typeof servicesFor>;
  return {
    /** A step that stops when its job is canceled. */
    jobStep: <Given extends AssetJobInput, Result>(
      settings: Named,
      work: (input: Given, context: JobContext<StoredJob<Type, Own>> & Known) => Promise<Result>,
      { tableOf = coreTable, patienceMs }: StepOptions = {},
    ) =>
      jobStep<Given, Result, StoredJob<Type, Own>>(
        settings,
        (input, tenant) => jobsIn(coreTable(tenant), tenant, input).find(input.asset_id, input.job_id),
        (input, context) => work(input, { ...context, ...servicesFor(input, context.tenant, tableOf) }),
        patienceMs,
      ),
    /** A step that removes the results of a job, or records that it failed. It also runs for a canceled job. */
    endStep: <Given extends AssetJobInput, Result>(
      settings: Named,
      tableOf: TableOf,
      work: (input: Given, context: StepContext & Known) => Promise<Result>,
    ) =>
      step<Given, Result>(settings, (input, context) =>
        work(input, { ...context, ...servicesFor(input, context.tenant, tableOf) }),
      ),
  };
}

interface ItemPlan<Own, Result> {
  /** Weight of each item for the progress. All items weigh the same, because their durations are unknown in advance. */
  readonly size: number;
  readonly idsOf: (own: Own) => readonly string[];
  readonly list: (ids: readonly string[]) => Result;
}

/** A step that marks a job as running, plans its items, and lists them for the state machine. */
export const planStep = <Own extends object, Result>(
  settings: Named,
  type: JobType,
  { size, idsOf, list }: ItemPlan<Own, Result>,
) =>
  subjectSteps<JobType, Own, object>(type, () => ({})).jobStep<AssetJobInput, Result>(
    settings,
    async ({ asset_id, job_id }, { now, job, jobs }) => {
      const ids = idsOf(job.own);
      const sizes = ids.map(() => size);
      await jobs.begin(asset_id, job_id, now());
      await jobs.planParts(asset_id, job_id, sizes);
      return list(ids);
    },
  );
