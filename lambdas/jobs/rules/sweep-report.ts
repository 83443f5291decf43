/**
 * The report of a sweep: counts, the waiting time of the oldest job, and the use of the scarcest provider
 * quota.
 */
import { type Counts, countsTold, type Told } from '../../../platform/kernel/schedule.ts';

/** The line before a provider that is nearest to being full, and how much of it is taken. */
export interface Scarcest {
  /** Name of the quota that it follows from: `pollyPerSecond`. */
  readonly line: string;
  readonly percent: number;
}

export function sweepReport({ counts, scarcest }: { counts: Counts; scarcest: Scarcest | null }): Told {
  const told = countsTold(counts);
  if (scarcest === null) return told;
  // One metric for all providers. The log names the provider.
  const places = { name: 'ProviderPlaces', unit: 'Percent', value: scarcest.percent } as const;
  return { metrics: [...told.metrics, places], fields: { scarcest: scarcest.line } };
}
