/** The limits of a tenant. Nothing is limited until the operator sets a limit. */
import type { Metric } from './usage.ts';

export interface Limits {
  readonly requests_per_minute: number | null;
  /** The number of jobs of all kinds that may run at once. */
  readonly concurrent_jobs: number | null;
  /** How much of a metric the tenant may use in a month. */
  readonly quotas: Readonly<Partial<Record<Metric, number>>>;
}

export const unlimited: Limits = { requests_per_minute: null, concurrent_jobs: null, quotas: {} };

/** The duration of the window in which requests are counted, seconds. */
export const RATE_WINDOW_S = 60;

/** Header fields of draft-ietf-httpapi-ratelimit-headers: the policy, and the remaining quota. */
export function rateHeaders(quota: number, used: number, secondsLeft: number): Record<string, string> {
  return {
    'RateLimit-Policy': `"requests";q=${quota};w=${RATE_WINDOW_S}`,
    RateLimit: `"requests";r=${Math.max(quota - used, 0)};t=${secondsLeft}`,
  };
}
