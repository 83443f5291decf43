/**
 * The share of the account's concurrency that jobs may use. The rest stays free, so that jobs never make Lambda refuse
 * requests. Reserved concurrency would limit each API function instead, and Lambda needs 100 unreserved executions
 * ("Configuring reserved concurrency for a function"): docs/decisions/0058.
 */
import type { Quotas } from '../environments.ts';

export interface Capacity {
  /** Jobs of all tenants that run at once. Others wait in the queue. */
  readonly jobsAtOnce: number;
  /** Most functions that one job runs at once. */
  readonly width: number;
}

/** Share for requests, deliveries and the sweep. */
const LEFT_TO_REQUESTS = 0.2;
/** At least so many jobs can run at once, so jobs are narrowed accordingly. */
export const LEAST_AT_ONCE = 4;
/** The widest machine, clips: four clips with eight parts each. */
const WIDEST = 32;
/** Usual number of functions of a job: pieces of speech, and spans of pictures at the same time. */
const USUAL_WIDTH = 8;

/** Null if nothing limits concurrency, as on a laptop. */
export function capacityOf({ quotas }: { quotas: Pick<Quotas, 'lambdaConcurrency'> }): Capacity | null {
  if (!Number.isFinite(quotas.lambdaConcurrency)) return null;
  const forJobs = Math.floor(quotas.lambdaConcurrency * (1 - LEFT_TO_REQUESTS));
  const width = Math.min(WIDEST, Math.max(1, Math.floor(forJobs / LEAST_AT_ONCE)));
  const jobsAtOnce = Math.max(1, Math.floor(forJobs / Math.min(USUAL_WIDTH, width)));
  return { jobsAtOnce, width };
}
