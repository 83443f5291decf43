/** Whose turn it is in this environment. */

import type { JobId } from '../../shared/ids.ts';
import { isTerminal, type JobType, type JobViewOf, jobView, type StoredJob } from '../../shared/jobs.ts';
import type { Bounds } from '../../shared/provider-capacity.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { fullestLine, giveTurns, positionsOf, startInTurn } from '../admission/admit-jobs.ts';
import type { RunningJob, WaitingJob } from '../admission/queue-table.ts';
import { receiptOf } from '../admission/receipts.ts';
import { AllJobs } from '../jobs/job-records.ts';
import type { Executions } from '../state-machines/executions.ts';
import { coreTable, turnsTable } from './dynamodb.ts';
import { environment } from './environment.ts';
import { executionsOf } from './stepfunctions.ts';
import { traceHeader } from './trace.ts';

/** Executions of a machine by the name of its definition, in place of `executionsOf` for those of jobs. */
export function jobExecutionsOf(machine: string): Pick<Executions, 'start'> {
  const executions = executionsOf(machine);
  const { bounds } = environment;
  if (bounds === null) return executions;
  return {
    async start(name, input) {
      const { tenant, job_id } = input as { readonly tenant: TenantId; readonly job_id: JobId };
      const header = traceHeader();
      const traced = header === undefined ? {} : { trace_header: header };
      // What settles a job that died has a name of its own: it is never kept waiting.
      if (name === job_id) await startInTurn({ tenant, job_id, machine, input, ...traced }, services(bounds));
      else await executions.start(name, input);
    },
  };
}

/** The same for who looks how they ended. */
export const watchedExecutionsOf = (machine: string): Pick<Executions, 'start' | 'endOf'> => ({
  start: (name, input) => jobExecutionsOf(machine).start(name, input),
  endOf: (name) => executionsOf(machine).endOf(name),
});

/** @returns how many jobs have begun */
export const turnsGiven = async (): Promise<number> =>
  environment.bounds === null ? 0 : giveTurns(services(environment.bounds));

/** Which provider's places are scarcest, once turns were given. */
export const scarcestPlaces = async (): Promise<ReturnType<typeof fullestLine>> =>
  environment.bounds === null ? null : fullestLine(await turnsTable().running(), environment.bounds);

const services = (bounds: Bounds) => ({
  turns: turnsTable(),
  bounds,
  hasEnded,
  start: ({ machine, job_id, input, trace_header }: WaitingJob) =>
    executionsOf(machine).start(job_id, input, trace_header),
});

async function hasEnded({ tenant, job_id }: RunningJob): Promise<boolean> {
  const job = await new AllJobs(coreTable(tenant), tenant).find(job_id);
  return job === null || isTerminal(job.status);
}

/** Jobs as whoever lists them sees them: those that wait with their place in line, by one look at it. */
export async function listedViews<Type extends JobType>(
  jobs: readonly StoredJob<Type>[],
): Promise<JobViewOf<Type>[]> {
  const { bounds } = environment;
  const isLookedUp = bounds !== null && jobs.some(({ status }) => status === 'queued');
  const positions = isLookedUp ? await positionsOf(turnsTable(), bounds) : new Map<JobId, number>();
  return jobs.map((job) => {
    const position = job.status === 'queued' ? positions.get(job.job_id) : undefined;
    return { ...jobView(job), ...(position !== undefined && { queue: { position } }) } as JobViewOf<Type>;
  });
}

/** The job as whoever follows it sees it: with its place in line while it waits, and with its receipt once it has ended. */
export async function followedView<Type extends JobType>(
  job: StoredJob<Type>,
  tenant: TenantId,
): Promise<JobViewOf<Type>> {
  if (!isTerminal(job.status)) return (await listedViews([job]))[0]!;
  const receipt = await receiptOf(coreTable(tenant), tenant, job.job_id);
  return { ...jobView(job), receipt } as JobViewOf<Type>;
}
