/**
 * The report of a sweep: counts, the waiting time of the oldest job, and the use of the scarcest provider
 * quota.
 */
import type { PoolUse } from '../../../platform/admission/queue.ts';
import { type Counts, countsTold, type Told } from '../../../platform/kernel/schedule.ts';

export function sweepReport({ counts, scarcest }: { counts: Counts; scarcest: PoolUse | null }): Told {
  const told = countsTold(counts);
  if (scarcest === null) return told;
  // One metric for all providers. The log names the provider.
  const places = { name: 'ProviderPlaces', unit: 'Percent', value: scarcest.percent } as const;
  return { metrics: [...told.metrics, places], fields: { scarcest: scarcest.pool } };
}
