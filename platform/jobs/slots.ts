/**
 * How many jobs of a tenant run at one time. A slot is given back by whoever finds none free: only then is it
 * looked up which of the jobs that hold one have ended, so that no job has to remember to.
 */
import { type AssetId, asAssetId, asJobId, type JobId } from '../shared/ids.ts';
import type { TenantId } from '../shared/tenant.ts';
import { jobSlotsKey } from '../store/keys.ts';
import { ConditionFailed, type TenantTable } from '../store/table.ts';

/** How long a slot is kept: longer than any job may run. */
const KEEP_S = 7 * 24 * 3600;

export interface SlotHolder {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  /** Seconds since the epoch. */
  readonly since: number;
}

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
