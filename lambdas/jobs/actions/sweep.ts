/**
 * What nobody else comes back to: events whose deliveries were not started because their request died, and jobs whose
 * execution was never started, or ended without settling them.
 */
import { type ExecutionsOf, ensureStarted } from '../../../platform/jobs/claim.ts';
import { AllJobs, type OpenJob } from '../../../platform/jobs/records.ts';
import type { EventDispatch } from '../../../platform/outbox/dispatch.ts';
import { idAt } from '../../../platform/shared/derived-ids.ts';
import { isTerminal, type StoredJob } from '../../../platform/shared/jobs.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import type { AdminTable } from '../../../platform/store/admin-table.ts';
import { openJobPartitions, outboxPartitions } from '../../../platform/store/announced.ts';
import type { ExecutionEnd } from '../../../platform/store/executions.ts';
import type { TenantTable } from '../../../platform/store/table.ts';

/** Who published an event and has not started its deliveries by then, in ms, has died. */
const EVENT_ABANDONED_MS = 60_000;
/** Who recorded a job and has not started it by then, in ms, has died. */
const JOB_ABANDONED_MS = 60_000;
/** Entries of each shard that one sweep takes up; the next one goes on. */
const AT_ONCE = 100;

export interface SweepServices {
  readonly admin: AdminTable;
  readonly dispatch: (tenant: TenantId) => Pick<EventDispatch, 'run'>;
  readonly table: (tenant: TenantId) => TenantTable;
  readonly executionsOf: ExecutionsOf;
}

export interface Swept {
  readonly events: number;
  readonly jobs: number;
}

export async function sweep(now: Date, services: SweepServices): Promise<Swept> {
  return { events: await sweepEvents(now, services), jobs: await sweepJobs(now, services) };
}

async function sweepEvents(now: Date, { admin, dispatch }: SweepServices): Promise<number> {
  const upTo = idAt(now.getTime() - EVENT_ABANDONED_MS, 'f');
  let swept = 0;
  for (const partition of outboxPartitions) {
    const entries = await admin.oldest<{ tenant: TenantId }>(partition, upTo, AT_ONCE);
    for (const [tenant, events] of Map.groupBy(entries, (entry) => entry.tenant)) {
      await dispatch(tenant).run(
        events.map(({ sk }) => sk),
        now,
      );
    }
    swept += entries.length;
  }
  return swept;
}

async function sweepJobs(now: Date, services: SweepServices): Promise<number> {
  const upTo = idAt(now.getTime() - JOB_ABANDONED_MS, 'f');
  let swept = 0;
  for (const partition of openJobPartitions) {
    const entries = await services.admin.oldest<OpenJob>(partition, upTo, AT_ONCE);
    for (const entry of entries) {
      if (await sweepJob(entry.sk, entry, services)) swept += 1;
    }
  }
  return swept;
}

/** True where something was to be done. */
async function sweepJob(
  id: string,
  { tenant, ...pointer }: OpenJob,
  { table, executionsOf }: SweepServices,
): Promise<boolean> {
  const jobs = new AllJobs(table(tenant), tenant);
  const job = await jobs.at(pointer);
  if (job === null) {
    await jobs.closed(id);
    return true;
  }
  const executions = executionsOf(job.machine);
  const end = await executions.endOf(id);
  if (end === 'running') return false;
  // Nobody started it; one that was canceled meanwhile finds out and clears up.
  if (end === 'absent') await ensureStarted(tenant, { ...job, status: 'queued' }, executionsOf);
  else if (isTerminal(job.status) && job.status !== 'canceled') await jobs.closed(id);
  else await settle(tenant, job, end, executionsOf);
  return true;
}

/** Has the machine do what is left when a job ends badly: its own execution died before it could. */
async function settle(
  tenant: TenantId,
  job: StoredJob,
  end: ExecutionEnd,
  executionsOf: ExecutionsOf,
): Promise<void> {
  const { job_id, machine, input, status } = job;
  const failure = status === 'canceled' ? { Error: 'canceled', Cause: '' } : end;
  await executionsOf(machine).start(`${job_id}-settle`, { tenant, ...input, job_id, failure });
}
