/** What a tenant may use. Nothing is limited until the operator says so. */
import { Problem } from './problems.ts';
import type { Metric, UsageReport } from './usage.ts';

export interface Limits {
  readonly requests_per_minute: number | null;
  /** Uploads that are processed at one time. */
  readonly concurrent_jobs: number | null;
  /** How much of a metric a month may hold. */
  readonly quotas: Readonly<Partial<Record<Metric, number>>>;
}

export const unlimited: Limits = { requests_per_minute: null, concurrent_jobs: null, quotas: {} };

/** Throws quota_exceeded where the month has used up a quota. */
export function requireQuotas({ quotas }: Limits, { metrics, period }: UsageReport): void {
  const spent = metrics.find(
    ({ metric, quantity }) => quantity >= (quotas[metric] ?? Number.POSITIVE_INFINITY),
  );
  if (spent === undefined) return;
  const { metric, quantity } = spent;
  throw new Problem(
    'quota_exceeded',
    `${metric} of ${period} is ${quantity}; the quota of this tenant is ${quotas[metric]}.`,
  );
}

/** Seconds of the window in which requests are counted. */
export const RATE_WINDOW_S = 60;

/** Header fields of draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
export function rateHeaders(quota: number, used: number, secondsLeft: number): Record<string, string> {
  return {
    'RateLimit-Policy': `"requests";q=${quota};w=${RATE_WINDOW_S}`,
    RateLimit: `"requests";r=${Math.max(quota - used, 0)};t=${secondsLeft}`,
  };
}
