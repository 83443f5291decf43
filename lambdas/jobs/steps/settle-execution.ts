/**
 * Settles a job when its execution failed, timed out or was aborted. Starts the next jobs of the queue after each
 * execution. Without this step, the sweep would do both within two minutes. Reads the job and its execution, because
 * the status in the event can be old.
 */
import { jobMachines } from '../../../contract/kit/job-kinds.ts';
import type { OpenJob } from '../../../platform/jobs/job-records.ts';
import { listener } from '../../../platform/kernel/listener.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { adminTable, coreTable } from '../../../platform/runtime/dynamodb.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { defineListener } from '../../../platform/steps/define-step.ts';
import { openJobKey } from '../../../platform/table/keys.ts';
import { asJobId } from '../../../shared/ids.ts';
import { sweepJob } from '../actions/sweep.ts';

/** The members that the step reads (Step Functions Developer Guide, "Step Functions event examples"). */
interface ExecutionEnd {
  /** The id of the job, with a suffix if the sweep started the execution to settle the job. */
  readonly name: string;
}

export const settings = defineListener({
  name: 'SettleExecution',
  description: 'Settles a job whose execution failed, and starts the next jobs of the queue',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['delete', 'get', 'put', 'query', 'update'] }, admin: true },
  hears: jobMachines,
  starts: jobMachines,
  watches: jobMachines,
});

export const handler = listener<ExecutionEnd, { jobs: number; started: number }>(
  settings,
  async ({ name }, { now }) => {
    const queue = admissionQueue();
    if (!isJobId(name)) return { jobs: 0, started: await queue.startNext() };
    const jobId = asJobId(name);
    const entry = await adminTable().get<OpenJob>(openJobKey(jobId));
    const services = { table: coreTable, executionsOf, queue };
    const isLeft = entry !== null && (await sweepJob(jobId, entry, now(), services));
    return { jobs: Number(isLeft), started: await queue.startNext() };
  },
);

/** Whether the execution runs a job. The execution that settles a job has a longer name; the sweep restarts it. */
const isJobId = (name: string): boolean => /^[0-9a-f-]{36}$/.test(name);
