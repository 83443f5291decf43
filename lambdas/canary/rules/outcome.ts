/** The outcome of a canary run, and its report for operators. */
import type { Told } from '../../../platform/kernel/schedule.ts';
import { type CanaryStage, mainStages } from './stages.ts';

export interface Outcome {
  /** The first stage that failed; null if all succeeded. */
  readonly failed: { readonly stage: CanaryStage; readonly says: string } | null;
  /** Milliseconds of each stage that succeeded. */
  readonly took: Readonly<Partial<Record<CanaryStage, number>>>;
  /** Assets of earlier runs that it removed. */
  readonly leftovers: number;
  /** Ids of the asset and the job. */
  readonly ids: { readonly asset_id?: string; readonly job_id?: string };
}

/**
 * Publishes durations of successful stages, and one metric for success or failure: a metric costs for each hour
 * in which it has a value. The failed stage and the reason are fields of the log line.
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
