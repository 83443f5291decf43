/**
 * How much of what the account may run at once its jobs take. The rest is the API's: requests are then never refused because
 * jobs have all of it. A reserved concurrency of the API's functions would bound each of them instead, and Lambda refuses it
 * where fewer than 100 stay unreserved ("Configuring reserved concurrency for a function"): docs/decisions/0058.
 */
import type { Quotas } from '../environments.ts';

export interface Capacity {
  /** Jobs of all tenants that run at once; more wait for their turn. */
  readonly jobsAtOnce: number;
  /** Functions that one job has at once, at most. */
  readonly width: number;
}

/** Share that jobs leave to requests, deliveries and the sweep. */
const LEFT_TO_REQUESTS = 0.2;
/** No job is so wide that fewer than these run beside each other. */
export const LEAST_AT_ONCE = 4;
/** As wide as the widest machine is by itself: clips, four by eight. */
const WIDEST = 32;
/** Functions that a job has at once mostly: pieces of speech beside spans of pictures. */
const USUAL_WIDTH = 8;

/** Null where nothing bounds it, as on a laptop. */
export function capacityOf({ quotas }: { quotas: Pick<Quotas, 'lambdaConcurrency'> }): Capacity | null {
  if (!Number.isFinite(quotas.lambdaConcurrency)) return null;
  const forJobs = Math.floor(quotas.lambdaConcurrency * (1 - LEFT_TO_REQUESTS));
  const width = Math.min(WIDEST, Math.max(1, Math.floor(forJobs / LEAST_AT_ONCE)));
  const jobsAtOnce = Math.max(1, Math.floor(forJobs / Math.min(USUAL_WIDTH, width)));
  return { jobsAtOnce, width };
}
