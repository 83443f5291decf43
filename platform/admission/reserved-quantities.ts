/**
 * Quantities of a tenant's quotas that jobs have reserved: one item of the Ephemeral table for uploads, and one for each
 * other metric. The items count only quantities that are not metered yet. The usage counts metered quantities.
 */
import { asAssetId, asJobId, type TenantId } from '../../shared/ids.ts';
import { number, optional, orElse, type Parsed, shape, textSet } from '../../shared/parse.ts';
import { Problem } from '../../shared/problems.ts';
import type { Metric } from '../../shared/usage.ts';
import { quotaHoldsKey } from '../table/keys.ts';
import type { Key } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { RESERVATION_LIFETIME_S, type SlotHolder } from './job-slots.ts';

/** The maximum number of attempts to reserve while other requests change the item. */
const ATTEMPTS = 8;

export interface ReservedQuantity extends SlotHolder {
  /** The bytes of an upload. For other metrics, the quantity in the unit of the meter. */
  readonly bytes: number;
}

export interface ReservedSum {
  readonly uploads: number;
  readonly bytes: number;
}

const nameOf = ({ asset_id, job_id, bytes, since }: ReservedQuantity) =>
  `${asset_id}/${job_id}/${bytes}/${since}`;

function quantityOf(name: string): ReservedQuantity {
  const [asset_id = '', job_id = '', bytes, since] = name.split('/');
  return {
    asset_id: asAssetId(asset_id),
    job_id: asJobId(job_id),
    bytes: Number(bytes),
    since: Number(since),
  };
}

const bytesOf = (all: readonly ReservedQuantity[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);

const quantitiesItem = shape({
  /** Absent while nothing is reserved: DynamoDB has no empty sets. */
  jobs: optional(textSet),
  uploads: orElse(number, 0),
  bytes: orElse(number, 0),
  /** Rises when reservations are removed. A request that finds a new value tries again, because its read of the usage may be too old. */
  sweeps: orElse(number, 0),
});
type Quantities = Parsed<typeof quantitiesItem>;

export class ReservedQuantities {
  readonly #table: TenantTable;
  readonly #key: Key;

  /** @param metric the reserved metric; absent for uploads and their bytes */
  constructor(ephemeral: TenantTable, tenant: TenantId, metric?: Metric) {
    this.#table = ephemeral;
    this.#key = quotaHoldsKey(tenant, metric);
  }

  /**
   * Reserves the quantity if the other reservations are at most `mostOthers`, also while other requests change the
   * item.
   * @param mostOthers called after the item was read: a job that ends meanwhile may be counted twice, but is never left
   * out
   * @returns null if the quantity is reserved, otherwise what other jobs reserve
   */
  async reserve(
    own: ReservedQuantity,
    mostOthers: () => Promise<ReservedSum>,
    endedOf: (reserved: readonly ReservedQuantity[]) => Promise<readonly ReservedQuantity[]>,
  ): Promise<ReservedSum | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { jobs, sweeps: before } = await this.#read();
      const ended = await endedOf([...(jobs ?? [])].map(quantityOf));
      if (ended.length > 0 && !(await this.#remove(ended, before))) continue;
      const sweeps = before + (ended.length > 0 ? 1 : 0);
      const others = await this.#add(own, await mostOthers(), sweeps);
      if (others === null || others.sweeps === sweeps) return others;
    }
    throw new Problem(
      'temporarily_unavailable',
      'The tenant sends too many requests for jobs at once. Try again.',
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }

  /** The sum that jobs reserve that have not ended. Writes nothing. */
  async reserved(
    endedOf: (reserved: readonly ReservedQuantity[]) => Promise<readonly ReservedQuantity[]>,
  ): Promise<ReservedSum> {
    const { jobs, uploads, bytes } = await this.#read();
    const ended = await endedOf([...(jobs ?? [])].map(quantityOf));
    return { uploads: uploads - ended.length, bytes: bytes - bytesOf(ended) };
  }

  async release(own: ReservedQuantity): Promise<void> {
    const { jobs, sweeps } = await this.#read();
    // If another request removes reservations at this moment, this reservation stays. It expires, because its job is
    // never recorded.
    if (jobs?.has(nameOf(own))) await this.#remove([own], sweeps);
  }

  async #read(): Promise<Quantities> {
    return quantitiesItem((await this.#table.get(this.#key)) ?? {});
  }

  /** Null if the quantity is reserved now, or was before. Otherwise the item with all reservations. */
  async #add(own: ReservedQuantity, most: ReservedSum, sweeps: number): Promise<Quantities | null> {
    const name = nameOf(own);
    const fitsAlone = most.uploads >= 0 && most.bytes >= 0;
    const fits =
      'sweeps = :sweeps AND uploads <= :most_uploads AND bytes <= :most_bytes AND NOT contains(jobs, :name)';
    const others = await this.#update({
      expression: 'ADD jobs :own, uploads :one, bytes :bytes SET expires_at = :expires, sweeps = :sweeps',
      values: {
        own: new Set([name]),
        name,
        one: 1,
        bytes: own.bytes,
        expires: own.since + RESERVATION_LIFETIME_S,
        sweeps,
        most_uploads: most.uploads,
        most_bytes: most.bytes,
      },
      condition: fitsAlone && sweeps === 0 ? `attribute_not_exists(pk) OR (${fits})` : fits,
    });
    return others?.jobs?.has(name) ? null : others;
  }

  /** False if another request removed reservations meanwhile. */
  async #remove(ended: readonly ReservedQuantity[], sweeps: number): Promise<boolean> {
    const others = await this.#update({
      expression: 'DELETE jobs :ended ADD uploads :uploads, bytes :bytes, sweeps :one',
      values: {
        ended: new Set(ended.map(nameOf)),
        uploads: -ended.length,
        bytes: -bytesOf(ended),
        one: 1,
        sweeps,
      },
      condition: 'sweeps = :sweeps',
    });
    return others === null;
  }

  /** Null if the change was made. Otherwise the current item. */
  async #update(change: { expression: string; values: Record<string, unknown>; condition: string }) {
    const { isDone, item } = await this.#table.tryUpdate({ key: this.#key, ...change });
    return isDone ? null : quantitiesItem(item ?? {});
  }
}
