/**
 * What nobody else comes back to: events whose deliveries were not started because their request died, jobs whose
 * execution was never started, or ended without settling them, and assets whose deletion was.
 */
import type { AdmissionQueue } from '../../../platform/admission/queue.ts';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { AllJobs, type OpenJob } from '../../../platform/jobs/job-records.ts';
import type { EventDispatch } from '../../../platform/outbox/event-dispatch.ts';
import type { ExecutionEnd, Executions } from '../../../platform/state-machines/executions.ts';
import {
  deletionPartitions,
  openJobPartitions,
  outboxPartitions,
} from '../../../platform/table/admin-keys.ts';
import type { AdminTable } from '../../../platform/table/admin-table.ts';
import type { Key, TenantTable } from '../../../platform/table/tenant-table.ts';
import { idAt } from '../../../shared/derived-ids.ts';
import { type AssetId, asAssetId, asJobId, type JobId } from '../../../shared/ids.ts';
import { isTerminal, type StoredJob } from '../../../shared/jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';

/** Who published an event and has not started its deliveries by then, in ms, has died. */
const EVENT_ABANDONED_MS = 60_000;
/** Who recorded a job and has not started it by then, in ms, has died. */
const JOB_ABANDONED_MS = 60_000;
/** How often the settling of a job is begun again that does not come to its end, in ms. */
const SETTLE_EVERY_MS = 600_000;
/** How often a deletion is begun again that does not come to its end, in ms. */
const DELETE_EVERY_MS = 3_600_000;

/** Whoever sweeps asks how executions ended, too. */
type ExecutionsOf = (machine: string) => Pick<Executions, 'start' | 'endOf'>;

export interface SweepServices {
  readonly admin: AdminTable;
  readonly dispatch: (tenant: TenantId) => Pick<EventDispatch, 'run'>;
  readonly table: (tenant: TenantId) => TenantTable;
  readonly executionsOf: ExecutionsOf;
  readonly queue: Pick<AdmissionQueue, 'startOrEnqueue'>;
  /** Hears of an entry that could not be taken up. */
  readonly failed: (entry: string, error: unknown) => void;
  /** Milliseconds until Lambda ends the sweep. */
  readonly leftMs: () => number;
}

export interface Swept {
  readonly events: number;
  readonly jobs: number;
  readonly deletions: number;
  /** For how long the oldest job that has not begun waits, seconds; 0 where none does. */
  readonly oldestWaiting: number;
  /** Entries that could not be taken up; the others are not kept waiting by them. */
  readonly failures: number;
}

/**
 * Each kind has an equal share of the time that is left to it and to what comes after it, which ends with the turns of jobs that
 * wait. What one sweep does not come to, the next one may: it begins at another shard.
 */
export async function sweep(now: Date, services: SweepServices): Promise<Swept> {
  const { dispatch } = services;
  const events = await sweepAll<{ tenant: TenantId }>(
    outboxPartitions,
    idAt(now.getTime() - EVENT_ABANDONED_MS, 'f'),
    async ({ sk, tenant }) => {
      await dispatch(tenant).run([sk], now);
      return true;
    },
    1 / 4,
    services,
  );
  let oldest = now;
  const waiting = (since: Date) => {
    if (since < oldest) oldest = since;
  };
  const jobs = await sweepAll<OpenJob>(
    openJobPartitions,
    idAt(now.getTime() - JOB_ABANDONED_MS, 'f'),
    (entry) => sweepJob(asJobId(entry.sk), entry, now, { ...services, waiting }),
    1 / 3,
    services,
  );
  const deletions = await sweepAll<{ tenant: TenantId }>(
    deletionPartitions,
    idAt(now.getTime(), 'f'),
    ({ sk, tenant }) => sweepDeletion(tenant, asAssetId(sk), now, services),
    1 / 2,
    services,
  );
  return {
    events: events.swept,
    jobs: jobs.swept,
    deletions: deletions.swept,
    failures: events.failures + jobs.failures + deletions.failures,
    oldestWaiting: Math.round((now.getTime() - oldest.getTime()) / 1000),
  };
}

/**
 * Takes up entry after entry while there is time.
 * @param take true where something was to be done
 * @param share of the time that is left
 */
async function sweepAll<Entry>(
  partitions: readonly string[],
  upTo: string,
  take: (entry: Entry & Key) => Promise<boolean>,
  share: number,
  { admin, failed, leftMs }: SweepServices,
): Promise<{ swept: number; failures: number }> {
  const toLeave = leftMs() * (1 - share);
  let swept = 0;
  let failures = 0;
  for (const partition of shuffled(partitions)) {
    for await (const entry of admin.upTo<Entry>(partition, upTo)) {
      if (leftMs() < toLeave) return { swept, failures };
      try {
        if (await take(entry)) swept += 1;
      } catch (error) {
        failures += 1;
        failed(entry.sk, error);
      }
    }
  }
  return { swept, failures };
}

/** In an order of chance, so that what one sweep does not come to is not always the same. */
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** Does what is left to be done about an open job. True where something was. */
export async function sweepJob(
  jobId: JobId,
  { tenant, ...pointer }: OpenJob,
  now: Date,
  {
    table,
    executionsOf,
    queue,
    waiting,
  }: Pick<SweepServices, 'table' | 'executionsOf' | 'queue'> & { waiting?: (since: Date) => void },
): Promise<boolean> {
  const jobs = new AllJobs(table(tenant), tenant);
  const before = await jobs.at(pointer);
  if (before?.status === 'queued') waiting?.(new Date(before.created_at));
  const end = before && (await executionsOf(before.machine).endOf(jobId));
  if (end === 'running') return false;
  // What is told of an execution is older than what is read afterwards: it may have settled the job meanwhile.
  const job = before && (await jobs.at(pointer));
  if (job === null || end === null) {
    await jobs.closed(jobId);
    return true;
  }
  // Nobody started it, or it waits for its turn. One that was canceled meanwhile is cleared up without.
  if (end === 'absent' && job.status === 'canceled')
    await settle(tenant, job, { Error: 'canceled', Cause: '' }, now, executionsOf);
  else if (end === 'absent') await startOrEnqueue(tenant, { ...job, status: 'queued' }, queue);
  else if (isTerminal(job.status) && job.status !== 'canceled') await jobs.closed(jobId);
  else await settle(tenant, job, end, now, executionsOf);
  return true;
}

/** Nobody started it, or it died: a name runs once, so that the next has the hour. True where something was to be done. */
async function sweepDeletion(
  tenant: TenantId,
  asset_id: AssetId,
  now: Date,
  { executionsOf }: SweepServices,
): Promise<boolean> {
  const executions = executionsOf('DeleteAsset');
  const first = `delete-${asset_id}`;
  const turn = Math.floor(now.getTime() / DELETE_EVERY_MS);
  const names = [first, `${first}-${turn - 1}`, `${first}-${turn}`];
  const ends = await Promise.all(names.map((name) => executions.endOf(name)));
  const isTakenUp = ends.includes('running') || ends[2] !== 'absent';
  if (isTakenUp) return false;
  await executions.start(ends[0] === 'absent' ? first : names[2]!, { tenant, asset_id });
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
