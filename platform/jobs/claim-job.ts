/**
 * Records a job for its owner, such as an asset, only once, even if the request is repeated. The repeated request gets
 * the job that the first request recorded. See docs/decisions/0004.
 */
import type { JobType, StoredJob } from '../../shared/jobs.ts';
import { InvalidState } from '../../shared/problems.ts';

export interface Claim<Job> {
  readonly record: (job: Job) => Promise<boolean>;
  /** The job that the owner has; null if it has none. */
  readonly current: () => Promise<Job | null>;
  /** Whether the other job does what this request asks for. */
  readonly isSame: (other: Job) => boolean;
  /** Releases what was reserved if the job is not recorded. */
  readonly release: () => Promise<void>;
  /** The detail of the refusal if the owner has another job. */
  readonly otherwise: string;
}

/** Returns `job`, or the job that an equal request recorded first. */
export async function claimJob<Job extends StoredJob<JobType>>(job: Job, claim: Claim<Job>): Promise<Job> {
  if (await claim.record(job)) return job;
  const current = await claim.current();
  if (current?.job_id !== job.job_id) await claim.release();
  return requireSameJob(current, claim);
}

/** The current job, if it does what the request asks for. Throws InvalidState otherwise. */
export function requireSameJob<Job>(
  current: Job | null,
  { isSame, otherwise }: Pick<Claim<Job>, 'isSame' | 'otherwise'>,
): Job {
  if (current === null || !isSame(current)) throw new InvalidState(otherwise);
  return current;
}
