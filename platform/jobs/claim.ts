/**
 * How a request becomes a job that runs: it is recorded in the change that asks for it, then started, and whoever
 * asks for the same again is answered with it. See docs/decisions/0004.
 */
import type { JobType, StoredJob } from '../../shared/jobs.ts';
import { InvalidState } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import type { Executions } from '../state-machines/executions.ts';

export type ExecutionsOf = (machine: string) => Pick<Executions, 'start'>;

/**
 * Starts the machine of a queued job; once, however often it is called. A request that died between its record and its
 * start left the job queued: whoever looks at it, or sweeps, starts it.
 */
export async function ensureStarted(
  tenant: TenantId,
  { job_id, status, machine, input }: StoredJob,
  executionsOf: ExecutionsOf,
): Promise<void> {
  if (status === 'queued') await executionsOf(machine).start(job_id, { tenant, ...input, job_id });
}

export interface Claim<Job> {
  /** Records the job with its owner. False where the owner has another by now. */
  readonly record: (job: Job) => Promise<boolean>;
  /** The job that the owner has; null where there is none. */
  readonly current: () => Promise<Job | null>;
  /** Whether another request asked for the same. */
  readonly isSame: (other: Job) => boolean;
  /** Gives back what was taken for a job that is not begun after all. */
  readonly dismiss?: () => Promise<void>;
  /** What is said to whoever asks for something else. */
  readonly otherwise: string;
}

/** The job that was asked for: this one, or that of a request like it that was faster. */
export async function claimed<Job extends StoredJob<JobType>>(job: Job, claim: Claim<Job>): Promise<Job> {
  if (await claim.record(job)) return job;
  const current = await claim.current();
  if (current?.job_id !== job.job_id) await claim.dismiss?.();
  return sameAs(current, claim);
}

/** The job that is there, for whoever asks for the same again. */
export function sameAs<Job>(
  current: Job | null,
  { isSame, otherwise }: Pick<Claim<Job>, 'isSame' | 'otherwise'>,
): Job {
  if (current === null || !isSame(current)) throw new InvalidState(otherwise);
  return current;
}
