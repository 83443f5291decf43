/** The unused part of a tenant's quotas in a month. */
import { defined } from '../../shared/checked-access.ts';
import { Problem } from '../../shared/problems.ts';
import {
  type Limits,
  type Meter,
  meters,
  nextMonth,
  quantityOf,
  type UsageReport,
} from '../../shared/usage.ts';
import type { Amount } from './demand.ts';

type Quotas = Pick<Limits, 'quotas'>;

/** The unused part of the quota for the meter, in the unit of the meter. Infinite if the tenant has no such quota. */
export function leftOf(meter: Meter, { quotas }: Quotas, used: UsageReport): number {
  const { metric, per } = meters[meter];
  const quota = quotas[metric];
  return quota === undefined ? Number.POSITIVE_INFINITY : Math.round((quota - usedOf(meter, used)) * per);
}

/**
 * The maximum that other jobs may have reserved so that the amount still fits into the quota. A quota that is used up has
 * no room, even for an amount of 0.
 */
export const roomBeside = ({ meter, quantity }: Amount, limits: Quotas, used: UsageReport): number =>
  leftOf(meter, limits, used) - Math.max(1, quantity);

/** The limit of a meter, and how much of it is used and reserved, in the unit of the metric. */
export function stateOfQuota(
  meter: Meter,
  reserved: number,
  { limits, used, now }: { readonly limits: Quotas; readonly used: UsageReport; readonly now: Date },
) {
  const { metric, unit } = meters[meter];
  return {
    metric,
    unit,
    limit: defined(limits.quotas[metric]),
    used: usedOf(meter, used),
    reserved: quantityOf(meter, reserved),
    left: quantityOf(meter, Math.max(0, leftOf(meter, limits, used) - reserved)),
    resets_at: meter === 'stored_bytes' ? null : nextMonth(now).toISOString(),
  };
}

/** Throws quota_exceeded if the tenant has used up one of its quotas this month. */
export function requireQuotasLeft(limits: Quotas, used: UsageReport): void {
  const spent = used.metrics.find(
    ({ metric, quantity }) => quantity >= (limits.quotas[metric] ?? Number.POSITIVE_INFINITY),
  );
  if (spent === undefined) return;
  const { metric, quantity } = spent;
  throw new Problem(
    'quota_exceeded',
    `The quota of ${metric} is used up: ${quantity} of ${limits.quotas[metric]} in ${used.period}.`,
  );
}

/**
 * @param reserved what other jobs have reserved, in the unit of the meter
 * @param kept a sentence for the error's detail: which data the caller need not send again
 */
export function quotaWouldBeExceeded(
  { meter, quantity }: Amount,
  {
    reserved,
    limits: { quotas },
    used,
    kept = '',
  }: {
    readonly reserved: number;
    readonly limits: Quotas;
    readonly used: UsageReport;
    readonly kept?: string | undefined;
  },
): Problem {
  const { metric } = meters[meter];
  const [theirs, own] = [quantityOf(meter, reserved), quantityOf(meter, quantity)];
  const detail =
    `The quota of ${metric} would be exceeded: ${usedOf(meter, used)} of ${quotas[metric]} is used in ${used.period}, ` +
    `other jobs reserve up to ${theirs}, and this one needs up to ${own} more. ${kept}`;
  return new Problem('quota_exceeded', detail.trim());
}

/** The quantity that is metered this month, in the unit of the metric. */
export const usedOf = (meter: Meter, { metrics }: UsageReport): number =>
  metrics.find(({ metric }) => metric === meters[meter].metric)?.quantity ?? 0;
