/** What is told of a sweep: how much was done, how long the oldest job waits, and how near a provider's quota is. */
import type { PoolUse } from '../../../platform/admission/queue.ts';
import { type Counts, countsTold, type Told } from '../../../platform/kernel/schedule.ts';

export function sweepReport({ counts, scarcest }: { counts: Counts; scarcest: PoolUse | null }): Told {
  const told = countsTold(counts);
  if (scarcest === null) return told;
  // One metric for all providers: which of them it is, the log says.
  const places = { name: 'ProviderPlaces', unit: 'Percent', value: scarcest.percent } as const;
  return { metrics: [...told.metrics, places], fields: { scarcest: scarcest.line } };
}
