/**
 * What nobody else comes back to: events whose deliveries were not started because their request died, and jobs whose
 * execution was never started, or ended without settling them.
 */
import { type ExecutionsOf, ensureStarted } from '../../../platform/jobs/claim.ts';
import { AllJobs, type OpenJob } from '../../../platform/jobs/records.ts';
import type { EventDispatch } from '../../../platform/outbox/dispatch.ts';
import { idAt } from '../../../platform/shared/derived-ids.ts';
import { asJobId, type JobId } from '../../../platform/shared/ids.ts';
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
/** How long one sweep goes on, in ms: its Lambda has 50 s. The next one begins at another shard. */
const BUDGET_MS = 40_000;
/** How often the settling of a job is begun again that does not come to its end, in ms. */
const SETTLE_EVERY_MS = 600_000;

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
  const started = performance.now();
  const hasTime = () => performance.now() - started < BUDGET_MS;
  return {
    events: await sweepEvents(now, hasTime, services),
    jobs: await sweepJobs(now, hasTime, services),
  };
}

type HasTime = () => boolean;

async function sweepEvents(now: Date, hasTime: HasTime, { admin, dispatch }: SweepServices): Promise<number> {
  const upTo = idAt(now.getTime() - EVENT_ABANDONED_MS, 'f');
  let swept = 0;
  for (const partition of shuffled(outboxPartitions)) {
    for await (const { sk, tenant } of admin.upTo<{ tenant: TenantId }>(partition, upTo)) {
      if (!hasTime()) return swept;
      await dispatch(tenant).run([sk], now);
      swept += 1;
    }
  }
  return swept;
}

async function sweepJobs(now: Date, hasTime: HasTime, services: SweepServices): Promise<number> {
  const upTo = idAt(now.getTime() - JOB_ABANDONED_MS, 'f');
  let swept = 0;
  for (const partition of shuffled(openJobPartitions)) {
    for await (const entry of services.admin.upTo<OpenJob>(partition, upTo)) {
      if (!hasTime()) return swept;
      if (await sweepJob(asJobId(entry.sk), entry, now, services)) swept += 1;
    }
  }
  return swept;
}

/** In an order of chance, so that what one sweep does not come to is not always the same. */
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** True where something was to be done. */
async function sweepJob(
  jobId: JobId,
  { tenant, ...pointer }: OpenJob,
  now: Date,
  { table, executionsOf }: SweepServices,
): Promise<boolean> {
  const jobs = new AllJobs(table(tenant), tenant);
  const job = await jobs.at(pointer);
  if (job === null) {
    await jobs.closed(jobId);
    return true;
  }
  const executions = executionsOf(job.machine);
  const end = await executions.endOf(jobId);
  if (end === 'running') return false;
  // Nobody started it; one that was canceled meanwhile finds out and clears up.
  if (end === 'absent') await ensureStarted(tenant, { ...job, status: 'queued' }, executionsOf);
  else if (isTerminal(job.status) && job.status !== 'canceled') await jobs.closed(jobId);
  else await settle(tenant, job, end, now, executionsOf);
  return true;
}

/**
 * Has the machine do what is left when a job ends badly: its own execution died before it could. A name runs once, so
 * that it holds the time: where the settling dies too, it is begun again later.
 */
async function settle(
  tenant: TenantId,
  job: StoredJob,
  end: ExecutionEnd,
  now: Date,
  executionsOf: ExecutionsOf,
): Promise<void> {
  const { job_id, machine, input, status } = job;
  const failure = status === 'canceled' ? { Error: 'canceled', Cause: '' } : end;
  const turn = Math.floor(now.getTime() / SETTLE_EVERY_MS);
  await executionsOf(machine).start(`${job_id}-settle-${turn}`, { tenant, ...input, job_id, failure });
}
