/** The outcome of a canary run, and its report for operators. */
import type { Told } from '../../../platform/kernel/schedule.ts';
import { type CanaryStage, mainStages } from './stages.ts';

export interface Outcome {
  /** The first stage that failed; null if all succeeded. */
  readonly failed: { readonly stage: CanaryStage; readonly says: string } | null;
  /** Milliseconds of each stage that succeeded. */
  readonly took: Readonly<Partial<Record<CanaryStage, number>>>;
  /** The number of assets of earlier runs that this run removed. */
  readonly leftovers: number;
  readonly ids: { readonly asset_id?: string; readonly job_id?: string };
}

/** The metrics: durations of successful stages, and success or failure. There are few metrics, because CloudWatch bills each of them. */
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
