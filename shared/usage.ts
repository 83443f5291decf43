/** Meters, metrics, costs, and the limits of a tenant. Nothing is limited until the operator sets a limit. */
import type { Metric, Unit, usageMetrics } from '../contract/kit/usage-metrics.ts';

export type { Metric };

/** The meters, by the names under which counts are stored. */
export const meters = {
  uploads: { metric: 'uploads', unit: 'count', per: 1 },
  uploaded_bytes: { metric: 'uploaded_bytes', unit: 'bytes', per: 1 },
  transcribed_ms: { metric: 'transcription_minutes', unit: 'minutes', per: 60_000 },
  translated_characters: { metric: 'translated_characters', unit: 'characters', per: 1 },
  spoken_characters: { metric: 'spoken_characters', unit: 'characters', per: 1 },
  analyzed_pictures: { metric: 'analyzed_pictures', unit: 'count', per: 1 },
  analyzed_characters: { metric: 'analyzed_characters', unit: 'characters', per: 1 },
  rendered_ms: { metric: 'rendered_minutes', unit: 'minutes', per: 60_000 },
  /** The cost by the prices of the engines' providers. */
  cost_microusd: { metric: 'cost', unit: 'usd', per: 1e6 },
  /** Counts the change in a month: added bytes minus removed bytes. Reports show all stored bytes at the end of the month. */
  stored_bytes: { metric: 'stored_bytes', unit: 'bytes', per: 1 },
} as const satisfies Record<string, Counted>;

/** A metric with its unit, and the number of counted things per unit. */
type Counted = {
  [Name in Metric]: {
    readonly metric: Name;
    readonly unit: (typeof usageMetrics)[Name];
    readonly per: number;
  };
}[Metric];

export type Meter = keyof typeof meters;
export type Counts = Readonly<Record<Meter, number>>;

/** Meters of work that engines do. */
export type EngineMeter = Exclude<Meter, 'uploads' | 'uploaded_bytes' | 'stored_bytes' | 'cost_microusd'>;

export const meterNames = Object.keys(meters) as Meter[];

export const engineMeters = meterNames.filter(
  (name): name is EngineMeter =>
    !['uploads', 'uploaded_bytes', 'stored_bytes', 'cost_microusd'].includes(name),
);

export interface DoneBy {
  readonly engine: string;
  /** Millionths of a USD per unit of the metric; null if the price is not known. */
  readonly microusd: number | null;
}

/** The cost in whole millionths of a USD. 0 if no engine did the work, null if the price is not known. */
export function costOf(meter: Meter, count: number, by: DoneBy | null): number | null {
  if (by === null) return 0;
  return by.microusd === null ? null : Math.round((count / meters[meter].per) * by.microusd);
}

export interface UsageMetric {
  readonly metric: Metric;
  readonly unit: Unit;
  readonly quantity: number;
}

export interface UsageReport {
  /** The month in UTC: `2026-11`. */
  readonly period: string;
  readonly metrics: readonly UsageMetric[];
}

export const periodOf = (time: Date): string => time.toISOString().slice(0, 7);

export const nextMonth = (time: Date): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1));

export function periodsBefore(time: Date, months: number): string[] {
  return Array.from({ length: months }, (_, at) =>
    periodOf(new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1 - at, 1))),
  );
}

/** @param counts the counts of the period; for `stored_bytes`, the stored bytes at the end of the period */
export function reportOf(period: string, counts: Counts): UsageReport {
  const metrics = meterNames.map((name): UsageMetric => {
    const { metric, unit } = meters[name];
    return { metric, unit, quantity: quantityOf(name, counts[name]) };
  });
  return { period, metrics };
}

/** A count in the unit of its metric: minutes to a thousandth, USD to a millionth. */
export function quantityOf(meter: Meter, count: number): number {
  const { per } = meters[meter];
  return per === 60_000 ? Math.round((count / per) * 1000) / 1000 : count / per;
}

/** Returns the level at the end of each period, from the current level and the changes of the periods. */
export function levelsBack(now: number, changes: readonly number[]): number[] {
  let level = now;
  return changes.map((change) => {
    level -= change;
    return level;
  });
}

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
