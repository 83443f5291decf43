/** The concurrency slots of a tenant: one item of the Ephemeral table with the names of the jobs that have a slot. */
import { type AssetId, asAssetId, asJobId, type JobId, type TenantId } from '../../shared/ids.ts';
import { optional, shape, textSet } from '../../shared/parse.ts';
import { jobSlotsKey } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';

/** Seconds for which reservations are kept: longer than any job may run. */
export const RESERVATION_LIFETIME_S = 7 * 24 * 3600;

export interface SlotHolder {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  /** When the slot was taken, in seconds since the epoch. */
  readonly since: number;
}

const nameOf = ({ asset_id, job_id, since }: SlotHolder) => `${asset_id}/${job_id}/${since}`;

function holderOf(name: string): SlotHolder {
  const [asset_id = '', job_id = '', since] = name.split('/');
  return { asset_id: asAssetId(asset_id), job_id: asJobId(job_id), since: Number(since) };
}

const slotsItem = shape({ jobs: optional(textSet) });

export class JobSlots {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(ephemeral: TenantTable, tenant: TenantId) {
    this.#table = ephemeral;
    this.#tenant = tenant;
  }

  /** Takes a slot for the job. Returns false if other jobs that have not ended hold `limit` slots. */
  async take(
    holder: SlotHolder,
    limit: number,
    hasEnded: (holder: SlotHolder) => Promise<boolean>,
  ): Promise<boolean> {
    const others = await this.#add(holder, limit);
    if (others === null) return true;
    const ended = await Promise.all(others.map((name) => hasEnded(holderOf(name))));
    const over = others.filter((_, at) => ended[at]);
    if (over.length === 0) return false;
    await this.#remove(over);
    return (await this.#add(holder, limit)) === null;
  }

  /** The number of slots that jobs hold that have not ended. Writes nothing. */
  async held(hasEnded: (holder: SlotHolder) => Promise<boolean>): Promise<number> {
    const { jobs } = slotsItem((await this.#table.get(jobSlotsKey(this.#tenant))) ?? {});
    const ended = await Promise.all([...(jobs ?? [])].map((name) => hasEnded(holderOf(name))));
    return ended.filter((one) => !one).length;
  }

  async release(holder: SlotHolder): Promise<void> {
    await this.#remove([nameOf(holder)]);
  }

  /** Null if the job has a slot now. Otherwise the names of the jobs that have slots. */
  async #add(holder: SlotHolder, limit: number): Promise<string[] | null> {
    const name = nameOf(holder);
    const expires = holder.since + RESERVATION_LIFETIME_S;
    const { isDone, item } = await this.#table.tryUpdate({
      key: jobSlotsKey(this.#tenant),
      expression: 'ADD jobs :own SET expires_at = :expires',
      values: { own: new Set([name]), name, limit, expires },
      condition: 'attribute_not_exists(jobs) OR size(jobs) < :limit OR contains(jobs, :name)',
    });
    return isDone ? null : [...(slotsItem(item ?? {}).jobs ?? [])];
  }

  async #remove(names: readonly string[]): Promise<void> {
    await this.#table.update({
      key: jobSlotsKey(this.#tenant),
      expression: 'DELETE jobs :names',
      values: { names: new Set(names) },
    });
  }
}
