/** What is metered, and how it is told. */

/** What is counted, by the name it is kept under. */
export const meters = {
  uploads: { metric: 'uploads', unit: 'count', per: 1 },
  uploaded_bytes: { metric: 'uploaded_bytes', unit: 'bytes', per: 1 },
  transcribed_ms: { metric: 'transcription_minutes', unit: 'minutes', per: 60_000 },
  translated_characters: { metric: 'translated_characters', unit: 'characters', per: 1 },
  spoken_characters: { metric: 'spoken_characters', unit: 'characters', per: 1 },
  rendered_ms: { metric: 'rendered_minutes', unit: 'minutes', per: 60_000 },
  /** A level, not a sum: what is added and removed in a month. */
  stored_bytes: { metric: 'stored_bytes', unit: 'bytes', per: 1 },
} as const;

export type Meter = keyof typeof meters;
export type Metric = (typeof meters)[Meter]['metric'];
export type Counts = Readonly<Record<Meter, number>>;

export const meterNames = Object.keys(meters) as Meter[];

export interface UsageMetric {
  readonly metric: Metric;
  readonly unit: 'count' | 'bytes' | 'minutes' | 'characters';
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
    const { metric, unit, per } = meters[name];
    const quantity = per === 1 ? counts[name] : Math.round((counts[name] / per) * 1000) / 1000;
    return { metric, unit, quantity };
  });
  return { period, metrics };
}

/** What was stored at the end of each period, from what is stored now and what came and went since. */
export function levelsBack(now: number, changes: readonly number[]): number[] {
  let level = now;
  return changes.map((change) => {
    level -= change;
    return level;
  });
}
