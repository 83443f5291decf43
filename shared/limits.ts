/** What a tenant may use. Nothing is limited until the operator says so. */
import { Problem } from './problems.ts';
import type { Metric, UsageReport } from './usage.ts';

export interface Limits {
  readonly requests_per_minute: number | null;
  /** Jobs that run at one time, of whatever kind. */
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

export const hasQuotaOfBytes = ({ quotas }: Limits): boolean =>
  quotas.uploaded_bytes !== undefined || quotas.stored_bytes !== undefined;

/** What quotas have room for beside one more upload of so many bytes: negative where it is too much by itself. */
export function roomBeside({ quotas }: Limits, used: UsageReport, bytes: number) {
  const left = (metric: Metric) => (quotas[metric] ?? Number.MAX_SAFE_INTEGER) - quantityOf(used, metric);
  return {
    uploads: left('uploads') - 1,
    bytes: Math.min(left('uploaded_bytes'), left('stored_bytes')) - bytes,
  };
}

/** What to say where an upload of so many bytes is too much beside others that are not metered yet. */
export function quotaWouldBeExceeded(
  { quotas }: Limits,
  used: UsageReport,
  bytes: number,
  others: { readonly uploads: number; readonly bytes: number },
): Problem {
  const sums = [
    ['uploads', others.uploads, 1],
    ['uploaded_bytes', others.bytes, bytes],
    ['stored_bytes', others.bytes, bytes],
  ] as const;
  const [metric, held, own] =
    sums.find(
      ([name, theirs, ours]) =>
        quantityOf(used, name) + theirs + ours > (quotas[name] ?? Number.POSITIVE_INFINITY),
    ) ?? sums[0];
  return new Problem(
    'quota_exceeded',
    `${metric} of ${used.period} is ${quantityOf(used, metric)}, and ${held} for uploads that are under way; ` +
      `${own} more would exceed the quota of this tenant, ${quotas[metric]}. The parts are kept.`,
  );
}

const quantityOf = ({ metrics }: UsageReport, name: Metric) =>
  metrics.find(({ metric }) => metric === name)?.quantity ?? 0;

/** Seconds of the window in which requests are counted. */
export const RATE_WINDOW_S = 60;

/** Header fields of draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
export function rateHeaders(quota: number, used: number, secondsLeft: number): Record<string, string> {
  return {
    'RateLimit-Policy': `"requests";q=${quota};w=${RATE_WINDOW_S}`,
    RateLimit: `"requests";r=${Math.max(quota - used, 0)};t=${secondsLeft}`,
  };
}
