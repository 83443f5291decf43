/** How a run of the canary ended, and what operators learn of it. */
import type { Told } from '../../../platform/kernel/schedule.ts';
import { type CanaryStage, mainStages } from './stages.ts';

export interface Outcome {
  /** The first stage that failed; null where all went well. */
  readonly failed: { readonly stage: CanaryStage; readonly says: string } | null;
  /** Milliseconds of each stage that went well. */
  readonly took: Readonly<Partial<Record<CanaryStage, number>>>;
  /** Assets of earlier runs that it removed. */
  readonly leftovers: number;
  /** What it made. */
  readonly ids: { readonly asset_id?: string; readonly job_id?: string };
}

/**
 * What went well publishes how long it took, and what failed that it did: a metric costs by the hours in which it has a value.
 * Which stage failed, and why, are fields of the same line.
 */
export function runReport({ failed, took, leftovers, ids }: Outcome): Told {
  const stages = mainStages.flatMap((stage) => {
    const value = took[stage];
    return value === undefined ? [] : [{ name: `Canary${stage}`, unit: 'Milliseconds' as const, value }];
  });
  const name = failed === null ? 'CanarySucceeded' : 'CanaryFailed';
  return {
    metrics: [{ name, unit: 'Count', value: 1 }, ...stages],
    fields: {
      ...ids,
      leftovers,
      ...(failed !== null && { failed_stage: failed.stage, failed_with: failed.says }),
    },
  };
}
