/**
 * How many jobs of a tenant run at one time, of whatever kind. A slot is given back by whoever finds none free: only then is it
 * looked up which of the jobs that hold one have ended, so that no job has to remember to.
 */
import { type AssetId, asAssetId, asJobId, type JobId } from '../../shared/ids.ts';
import { isTerminal } from '../../shared/jobs.ts';
import type { Limits } from '../../shared/limits.ts';
import { Problem } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import type { AllJobs } from '../jobs/job-records.ts';
import { jobSlotsKey } from '../table/keys.ts';
import { ConditionFailed, type TenantTable } from '../table/tenant-table.ts';

/** How long a slot is kept: longer than any job may run. */
const KEEP_S = 7 * 24 * 3600;
/** A request that goes on longer than this has died: API Gateway waits for 30 s. */
const REQUEST_S = 60;
/** Seconds after which it is worth to ask again. */
const RETRY_AFTER_S = 30;

export interface SlotHolder {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  /** Seconds since the epoch. */
  readonly since: number;
}

/**
 * Takes a slot for a job that is about to be recorded; nothing is read where the operator set no limit. Throws rate_limited
 * where as many of the tenant's jobs run as may, of whatever kind.
 * @param kept what the caller need not send again, a sentence
 * @returns gives the slot back, for a job that is not begun after all
 */
export async function takeSlot(
  holder: SlotHolder,
  { concurrent_jobs: max }: Pick<Limits, 'concurrent_jobs'>,
  now: Date,
  { slots, all }: { readonly slots: JobSlots; readonly all: Pick<AllJobs, 'find'> },
  kept = '',
): Promise<() => Promise<void>> {
  if (max === null) return async () => {};
  const hasEnded = async (other: SlotHolder) => {
    // A repeat of the request takes the place of its first run.
    if (other.job_id === holder.job_id) return true;
    const job = await all.find(other.job_id);
    return job === null ? isAbandoned(other, holder) : isTerminal(job.status);
  };
  if (await slots.take(holder, max, now, hasEnded)) return () => slots.release(holder);
  throw new Problem('rate_limited', `${max} jobs of this tenant run already. ${kept}`.trim(), {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}

/** Jobs are admitted before they are recorded: a slot without a job is given up, or its job is about to come. */
export const isAbandoned = (other: SlotHolder, own: SlotHolder): boolean =>
  other.job_id === own.job_id || own.since - other.since > REQUEST_S;

const nameOf = ({ asset_id, job_id, since }: SlotHolder) => `${asset_id}/${job_id}/${since}`;

function holderOf(name: string): SlotHolder {
  const [asset_id = '', job_id = '', since] = name.split('/');
  return { asset_id: asAssetId(asset_id), job_id: asJobId(job_id), since: Number(since) };
}

export class JobSlots {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  /** @param table Ephemeral: losing it makes the limit laxer for a while, no more */
  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
  }

  /** Takes a slot for the job. False where `max` others hold one and none of them has ended. */
  async take(
    holder: SlotHolder,
    max: number,
    now: Date,
    hasEnded: (holder: SlotHolder) => Promise<boolean>,
  ): Promise<boolean> {
    const holding = await this.#add(holder, max, now);
    if (holding === null) return true;
    const ended = await Promise.all(holding.map((name) => hasEnded(holderOf(name))));
    const over = holding.filter((_, at) => ended[at]);
    if (over.length === 0) return false;
    await this.#remove(over);
    return (await this.#add(holder, max, now)) === null;
  }

  async release(holder: SlotHolder): Promise<void> {
    await this.#remove([nameOf(holder)]);
  }

  /** Null where the job has a slot now; else those that have one. */
  async #add(holder: SlotHolder, max: number, now: Date): Promise<string[] | null> {
    const name = nameOf(holder);
    try {
      await this.#table.update({
        key: jobSlotsKey(this.#tenant),
        expression: 'ADD jobs :own SET expires_at = :expires',
        values: { own: new Set([name]), name, max, expires: Math.floor(now.getTime() / 1000) + KEEP_S },
        condition: 'attribute_not_exists(jobs) OR size(jobs) < :max OR contains(jobs, :name)',
      });
      return null;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return [...((error.current?.jobs as Set<string> | undefined) ?? [])];
    }
  }

  async #remove(names: readonly string[]): Promise<void> {
    await this.#table.update({
      key: jobSlotsKey(this.#tenant),
      expression: 'DELETE jobs :names',
      values: { names: new Set(names) },
    });
  }
}
