/**
 * Makes good what a process left undone that died: events that nobody delivered, and jobs whose execution was never
 * started or has ended without settling them.
 */
import { describeError, log } from '../../../platform/kernel/log.ts';
import { schedule } from '../../../platform/kernel/schedule.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { adminTable } from '../../../platform/runtime/dynamodb.ts';
import { eventDispatch, publishingTable } from '../../../platform/runtime/publishing.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { sweep } from '../actions/sweep.ts';
import { sweepReport } from '../rules/sweep-report.ts';

export const handler = schedule(
  'Sweep',
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
    const begun = await queue.startNext();
    return { counts: { ...swept, begun }, scarcest: await queue.fullestProvider() };
  },
  sweepReport,
);
