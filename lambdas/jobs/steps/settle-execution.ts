/**
 * Has a job settled at once whose execution failed, ran out of time or was aborted, and begins those whose turn it is as any
 * execution ends; the sweep would within a minute or two. What the event says of the end is not relied on: the job and
 * its execution are looked at.
 */

import { jobMachines } from '../../../contract/kit/job-kinds.ts';
import type { OpenJob } from '../../../platform/jobs/job-records.ts';
import { listener } from '../../../platform/kernel/listener.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { adminTable, coreTable } from '../../../platform/runtime/dynamodb.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { defineListener } from '../../../platform/steps/define-step.ts';
import { openJobKey } from '../../../platform/table/admin-keys.ts';
import { asJobId } from '../../../shared/ids.ts';
import { sweepJob } from '../actions/sweep.ts';

/** As far as it is read here. Step Functions Developer Guide, "Step Functions event examples". */
interface ExecutionEnd {
  /** The id of its job; with more behind it where the sweep had begun the execution to settle one. */
  readonly name: string;
}

export const settings = defineListener({
  name: 'SettleExecution',
  description: 'Settles a job whose execution failed, and starts the next jobs of the queue',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['delete', 'get'] }, admin: true },
  hears: jobMachines,
  starts: jobMachines,
  watches: jobMachines,
});

export const handler = listener<ExecutionEnd, { jobs: number; begun: number }>(
  settings,
  async ({ name }, { now }) => {
    const queue = admissionQueue();
    if (!isJobId(name)) return { jobs: 0, begun: await queue.startNext() };
    const jobId = asJobId(name);
    const entry = await adminTable().get<OpenJob>(openJobKey(jobId));
    const services = { table: coreTable, executionsOf, queue };
    const isLeft = entry !== null && (await sweepJob(jobId, entry, now(), services));
    return { jobs: Number(isLeft), begun: await queue.startNext() };
  },
);

/** Executions of settling have longer names: where those die, the sweep begins them again, but not at once. */
const isJobId = (name: string): boolean => /^[0-9a-f-]{36}$/.test(name);
