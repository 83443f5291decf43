/**
 * The sweep repairs the effects of crashes. It delivers events that are still in the outbox, starts or settles jobs
 * whose execution did not start or settle them, and restarts deliveries, and deletions of assets and collections.
 */
import type { AdmissionQueue } from '../../../platform/admission/queue.ts';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { AllJobs, type OpenJob } from '../../../platform/jobs/job-records.ts';
import type { EventDispatch } from '../../../platform/outbox/event-dispatch.ts';
import type { PendingDelivery } from '../../../platform/outbox/webhooks.ts';
import type { ExecutionEnd, Executions } from '../../../platform/state-machines/executions.ts';
import type { AdminTable } from '../../../platform/table/admin-table.ts';
import {
  deletionPartitions,
  deliveryPartitions,
  openJobPartitions,
  outboxPartitions,
} from '../../../platform/table/keys.ts';
import type { Key } from '../../../platform/table/table.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { idAt } from '../../../shared/derived-ids.ts';
import { asJobId, type JobId, type TenantId } from '../../../shared/ids.ts';
import { isTerminal, type StoredJob } from '../../../shared/jobs.ts';

/** If an event is not delivered after this time, ms, the process that published it has crashed. */
const EVENT_ABANDONED_MS = 60_000;
/** If a job is not started after this time, ms, the request that recorded it has crashed. */
const JOB_ABANDONED_MS = 60_000;
/** How late an attempt of a delivery may be, ms, before the sweep looks for its execution. */
const DELIVERY_LATE_MS = 900_000;
/** Interval at which an unfinished settling is restarted, ms. */
const SETTLE_EVERY_MS = 600_000;
/** Interval at which an unfinished deletion is restarted, ms. */
const DELETE_EVERY_MS = 3_600_000;

type ExecutionsOf = (machine: string) => Pick<Executions, 'start' | 'endOf'>;

export interface SweepServices {
  readonly admin: AdminTable;
  readonly dispatch: (tenant: TenantId) => Pick<EventDispatch, 'resume' | 'run'>;
  readonly table: (tenant: TenantId) => TenantTable;
  readonly executionsOf: ExecutionsOf;
  readonly queue: Pick<AdmissionQueue, 'startOrEnqueue'>;
  readonly failed: (entry: string, error: unknown) => void;
  /** Milliseconds until Lambda ends the sweep. */
  readonly leftMs: () => number;
}

export interface Swept {
  readonly events: number;
  readonly jobs: number;
  readonly deletions: number;
  readonly deliveries: number;
  /** Waiting time of the oldest queued job, seconds; 0 if none waits. */
  readonly oldestWaiting: number;
  /** Entries that failed. They do not delay the others. */
  readonly failures: number;
}

/**
 * Events, jobs, deletions, deliveries and the admission of waiting jobs get equal shares of the time. Each sweep starts at
 * a random shard, so that later sweeps reach entries that this one does not.
 */
export async function sweep(now: Date, services: SweepServices): Promise<Swept> {
  const { dispatch } = services;
  const events = await sweepAll<{ tenant: TenantId }>(
    {
      partitions: outboxPartitions,
      upTo: idAt(now.getTime() - EVENT_ABANDONED_MS, 'f'),
      share: 1 / 5,
      handle: async ({ sk, tenant }) => {
        await dispatch(tenant).run([sk], now);
        return true;
      },
    },
    services,
  );
  let oldest = now;
  const waiting = (since: Date) => {
    if (since < oldest) oldest = since;
  };
  const jobs = await sweepAll<OpenJob>(
    {
      partitions: openJobPartitions,
      upTo: idAt(now.getTime() - JOB_ABANDONED_MS, 'f'),
      share: 1 / 4,
      handle: (entry) => sweepJob(asJobId(entry.sk), entry, now, { ...services, waiting }),
    },
    services,
  );
  const deletions = await sweepAll<Deletion>(
    {
      partitions: deletionPartitions,
      upTo: idAt(now.getTime(), 'f'),
      share: 1 / 3,
      handle: (entry) => sweepDeletion(entry, now, services),
    },
    services,
  );
  const deliveries = await sweepAll<PendingDelivery>(
    {
      partitions: deliveryPartitions,
      upTo: idAt(now.getTime() - DELIVERY_LATE_MS, 'f'),
      share: 1 / 2,
      handle: (entry) => dispatch(entry.tenant).resume(entry, now),
    },
    services,
  );
  return {
    events: events.swept,
    jobs: jobs.swept,
    deletions: deletions.swept,
    deliveries: deliveries.swept,
    failures: events.failures + jobs.failures + deletions.failures + deliveries.failures,
    oldestWaiting: Math.round((now.getTime() - oldest.getTime()) / 1000),
  };
}

interface EntriesToSweep<Entry> {
  readonly partitions: readonly string[];
  readonly upTo: string;
  /** The share of the remaining time that these entries may take, 0 to 1. */
  readonly share: number;
  /** Returns true if there was work to do. */
  readonly handle: (entry: Entry & Key) => Promise<boolean>;
}

/** Handles entries one by one while there is time. */
async function sweepAll<Entry>(
  { partitions, upTo, share, handle }: EntriesToSweep<Entry>,
  { admin, failed, leftMs }: SweepServices,
): Promise<{ swept: number; failures: number }> {
  const toLeave = leftMs() * (1 - share);
  let swept = 0;
  let failures = 0;
  for (const partition of shuffled(partitions)) {
    for await (const entry of admin.upTo<Entry>(partition, upTo)) {
      if (leftMs() < toLeave) return { swept, failures };
      try {
        if (await handle(entry)) swept += 1;
      } catch (error) {
        failures += 1;
        failed(entry.sk, error);
      }
    }
  }
  return { swept, failures };
}

/** Returns the items in random order, so that the same entries are not always left out. */
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

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
  // Read the job again: its execution may have settled it since the first read.
  const job = before && (await jobs.at(pointer));
  if (job === null || end === null) {
    await jobs.close(jobId);
    return true;
  }
  // `absent`: the execution was never started, or the job waits for admission. A canceled job is cleared at once.
  if (end === 'absent' && job.status === 'canceled')
    await settle({ tenant, job, end: { Error: 'canceled', Cause: '' }, now, executionsOf });
  else if (end === 'absent') await startOrEnqueue(tenant, { ...job, status: 'queued' }, queue);
  else if (isTerminal(job.status) && job.status !== 'canceled') await jobs.close(jobId);
  else await settle({ tenant, job, end, now, executionsOf });
  return true;
}

/** The entry of an unfinished deletion. It has the id of an asset, or names a machine and has the id of its first execution. */
interface Deletion {
  readonly tenant: TenantId;
  readonly machine?: string;
  readonly input?: object;
}

/** Restarts an unfinished deletion. An execution name can be used only once, so it contains the hour. */
async function sweepDeletion(
  { sk, tenant, machine = 'DeleteAsset', input = { asset_id: sk } }: Deletion & Key,
  now: Date,
  { executionsOf }: SweepServices,
): Promise<boolean> {
  const executions = executionsOf(machine);
  const first = machine === 'DeleteAsset' ? `delete-${sk}` : sk;
  const turn = Math.floor(now.getTime() / DELETE_EVERY_MS);
  const names = [first, `${first}-${turn - 1}`, `${first}-${turn}`];
  const ends = await Promise.all(names.map((name) => executions.endOf(name)));
  const isTakenUp = ends.includes('running') || ends[2] !== 'absent';
  if (isTakenUp) return false;
  await executions.start(ends[0] === 'absent' ? first : itemAt(names, 2), { tenant, ...input });
  return true;
}

interface Settling {
  readonly tenant: TenantId;
  readonly job: StoredJob;
  readonly end: ExecutionEnd;
  readonly now: Date;
  readonly executionsOf: ExecutionsOf;
}

/**
 * Starts the machine's settling path for a job whose execution crashed. An execution name can be used only once, so it
 * contains the time. If this execution crashes too, another one is started later.
 */
async function settle({ tenant, job, end, now, executionsOf }: Settling): Promise<void> {
  const { job_id, machine, input, status } = job;
  const failure = status === 'canceled' ? { Error: 'canceled', Cause: '' } : end;
  const turn = Math.floor(now.getTime() / SETTLE_EVERY_MS);
  await executionsOf(machine).start(`${job_id}-settle-${turn}`, { tenant, ...input, job_id, failure });
}
