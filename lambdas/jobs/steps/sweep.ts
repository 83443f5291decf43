import { jobMachines } from '../../../contract/kit/job-kinds.ts';
import type { PoolUse } from '../../../platform/admission/queue.ts';
import { type Counts, countsTold, schedule, type Told } from '../../../platform/kernel/schedule.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { adminTable } from '../../../platform/runtime/dynamodb.ts';
import { describeError, log } from '../../../platform/runtime/log.ts';
import { eventDispatch, publishingTable } from '../../../platform/runtime/publishing.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { defineSchedule } from '../../../platform/steps/define-step.ts';
import { sweep } from '../actions/sweep.ts';

export const settings = defineSchedule({
  name: 'Sweep',
  description:
    'Finishes the work of crashed processes: delivers events, ends jobs, deletes assets and collections',
  everyMinutes: 1,
  memory: 256,
  timeout: 50,
  permissions: { tables: { Core: ['delete', 'get', 'put', 'query', 'update'] }, admin: true },
  starts: [...jobMachines, 'DeleteAsset', 'DeliverEvent', 'EmptyCollection'],
  watches: [...jobMachines, 'DeleteAsset', 'DeliverEvent', 'EmptyCollection'],
});

export const handler = schedule(
  settings,
  async ({ now, leftMs }) => {
    const queue = admissionQueue();
    const swept = await sweep(now(), {
      leftMs,
      admin: adminTable(),
      dispatch: eventDispatch,
      table: publishingTable,
      executionsOf,
      queue,
      failed: (entry, error) => log('error', 'not swept', { entry, ...describeError(error) }),
    });
    const started = await queue.startNext();
    return { counts: { ...swept, started }, scarcest: await queue.fullestProvider() };
  },
  sweepReport,
);

/** The report of a sweep: counts, the waiting time of the oldest job, and the use of the scarcest provider quota. */
export function sweepReport({ counts, scarcest }: { counts: Counts; scarcest: PoolUse | null }): Told {
  const report = countsTold(counts);
  if (scarcest === null) return report;
  // One metric for all providers. The log names the provider.
  const places = { name: 'ProviderPlaces', unit: 'Percent', value: scarcest.percent } as const;
  return { metrics: [...report.metrics, places], fields: { scarcest: scarcest.pool } };
}
