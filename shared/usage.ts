/** What is metered, and how it is told. */

import type { Metric, Unit, usageMetrics } from '../contract/kit/usage-metrics.ts';

export type { Metric };

/** What is counted, by the name it is kept under. */
export const meters = {
  uploads: { metric: 'uploads', unit: 'count', per: 1 },
  uploaded_bytes: { metric: 'uploaded_bytes', unit: 'bytes', per: 1 },
  transcribed_ms: { metric: 'transcription_minutes', unit: 'minutes', per: 60_000 },
  translated_characters: { metric: 'translated_characters', unit: 'characters', per: 1 },
  spoken_characters: { metric: 'spoken_characters', unit: 'characters', per: 1 },
  analyzed_pictures: { metric: 'analyzed_pictures', unit: 'count', per: 1 },
  analyzed_characters: { metric: 'analyzed_characters', unit: 'characters', per: 1 },
  rendered_ms: { metric: 'rendered_minutes', unit: 'minutes', per: 60_000 },
  /** What the engines' providers ask for all of it. */
  cost_microusd: { metric: 'cost', unit: 'usd', per: 1e6 },
  /** A level, not a sum: what is added and removed in a month. */
  stored_bytes: { metric: 'stored_bytes', unit: 'bytes', per: 1 },
} as const satisfies Record<string, Counted>;

/** A metric in its unit, and how many of what is counted are one. */
type Counted = {
  [Name in Metric]: {
    readonly metric: Name;
    readonly unit: (typeof usageMetrics)[Name];
    readonly per: number;
  };
}[Metric];

export type Meter = keyof typeof meters;
export type Counts = Readonly<Record<Meter, number>>;

/** Meters of what engines do. */
export type EngineMeter = Exclude<Meter, 'uploads' | 'uploaded_bytes' | 'stored_bytes' | 'cost_microusd'>;

export const meterNames = Object.keys(meters) as Meter[];

export const engineMeters = meterNames.filter(
  (name): name is EngineMeter =>
    !['uploads', 'uploaded_bytes', 'stored_bytes', 'cost_microusd'].includes(name),
);

/** Who did what is metered, and what they ask for it. */
export interface DoneBy {
  /** The engine, by its name. */
  readonly engine: string;
  /** Millionths of a USD for one of the metric's unit; null where nobody said what it costs. */
  readonly microusd: number | null;
}

/** Millionths of a USD, whole; 0 where Kinora did it itself, null where nobody said what it costs. */
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
  /** `2026-11`, UTC. */
  readonly period: string;
  readonly metrics: readonly UsageMetric[];
}

export const periodOf = (time: Date): string => time.toISOString().slice(0, 7);

/** The periods before a time, the latest first. */
export function periodsBefore(time: Date, months: number): string[] {
  return Array.from({ length: months }, (_, at) =>
    periodOf(new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1 - at, 1))),
  );
}

/** @param counts of the period; of `stored_bytes` the level at its end */
export function reportOf(period: string, counts: Counts): UsageReport {
  const metrics = meterNames.map((name): UsageMetric => {
    const { metric, unit } = meters[name];
    return { metric, unit, quantity: quantityOf(name, counts[name]) };
  });
  return { period, metrics };
}

/** What was counted, in the unit of its metric: minutes to a thousandth, USD to a millionth. */
export function quantityOf(meter: Meter, count: number): number {
  const { per } = meters[meter];
  return per === 60_000 ? Math.round((count / per) * 1000) / 1000 : count / per;
}

/** What was stored at the end of each period, from what is stored now and what came and went since. */
export function levelsBack(now: number, changes: readonly number[]): number[] {
  let level = now;
  return changes.map((change) => {
    level -= change;
    return level;
  });
}
