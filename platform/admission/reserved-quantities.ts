/**
 * What uploads that are finished, and not metered yet, will take of the tenant's quotas; and jobs, of quotas of characters. Usage tells of the others: an
 * upload is held until its source is stored, which is metered last, or its job has ended. Ended holds are taken off
 * by whoever comes next, so that no job has to remember to.
 */
import { type AssetId, asAssetId, asJobId, type JobId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import type { Metric } from '../../shared/usage.ts';
import { quotaHoldsKey } from '../table/keys.ts';
import { ConditionFailed, type Item, type Key, type TenantTable } from '../table/tenant-table.ts';

/** How long a hold is kept: longer than any job may run. */
const KEEP_S = 7 * 24 * 3600;
/** How often a hold is tried while others are being taken off. */
const ATTEMPTS = 8;

export interface HeldUpload {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  readonly bytes: number;
  /** Seconds since the epoch. */
  readonly since: number;
}

/** A number of uploads, and their bytes together. */
export interface Held {
  readonly uploads: number;
  readonly bytes: number;
}

const nameOf = ({ asset_id, job_id, bytes, since }: HeldUpload) => `${asset_id}/${job_id}/${bytes}/${since}`;

function uploadOf(name: string): HeldUpload {
  const [asset_id = '', job_id = '', bytes, since] = name.split('/');
  return {
    asset_id: asAssetId(asset_id),
    job_id: asJobId(job_id),
    bytes: Number(bytes),
    since: Number(since),
  };
}

interface Holds extends Held {
  readonly names: readonly string[];
  /** Rises when holds are taken off: what was metered before it rose is in the usage that is read afterwards. */
  readonly sweeps: number;
}

export class QuotaHolds {
  readonly #table: TenantTable;
  readonly #key: Key;

  /**
   * @param table Ephemeral: losing it makes quotas laxer for a while, no more
   * @param metric what is held, where it is no uploads; `bytes` are of its unit then
   */
  constructor(table: TenantTable, tenant: TenantId, metric?: Metric) {
    this.#table = table;
    this.#key = quotaHoldsKey(tenant, metric);
  }

  /**
   * Holds the upload, whatever others do at the same time, only while what is held is no more than `mostOthers` says.
   * @param mostOthers is asked after holds were looked up, so that nothing falls between holds and usage
   * @returns null where it is held, else what others hold
   */
  async hold(
    upload: HeldUpload,
    mostOthers: () => Promise<Held>,
    endedOf: (held: readonly HeldUpload[]) => Promise<readonly HeldUpload[]>,
  ): Promise<Held | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const seen = await this.#read();
      const ended = await endedOf(seen.names.map(uploadOf));
      if (ended.length > 0 && !(await this.#takeOff(ended, seen.sweeps))) continue;
      const sweeps = seen.sweeps + (ended.length > 0 ? 1 : 0);
      const others = await this.#add(upload, await mostOthers(), sweeps);
      if (others === null || others.sweeps === sweeps) return others;
    }
    throw new Problem('temporarily_unavailable', 'Too many uploads of this tenant are finished at once.', {
      headers: { 'Retry-After': '1' },
    });
  }

  async release(upload: HeldUpload): Promise<void> {
    const { names, sweeps } = await this.#read();
    // Where others take holds off at this moment it stays: a job that is not found ends by itself.
    if (names.includes(nameOf(upload))) await this.#takeOff([upload], sweeps);
  }

  async #read(): Promise<Holds> {
    return holdsOf(await this.#table.get(this.#key));
  }

  /** Null where the upload is held now, or was before; else all that is held. */
  async #add(upload: HeldUpload, most: Held, sweeps: number): Promise<Holds | null> {
    const name = nameOf(upload);
    const fitsAlone = most.uploads >= 0 && most.bytes >= 0;
    const fits =
      'sweeps = :sweeps AND uploads <= :most_uploads AND bytes <= :most_bytes AND NOT contains(jobs, :name)';
    const others = await this.#changed({
      expression: 'ADD jobs :own, uploads :one, bytes :bytes SET expires_at = :expires, sweeps = :sweeps',
      values: {
        own: new Set([name]),
        name,
        one: 1,
        bytes: upload.bytes,
        expires: upload.since + KEEP_S,
        sweeps,
        most_uploads: most.uploads,
        most_bytes: most.bytes,
      },
      condition: fitsAlone && sweeps === 0 ? `attribute_not_exists(pk) OR (${fits})` : fits,
    });
    return others?.names.includes(name) ? null : others;
  }

  /** False where others took holds off meanwhile. */
  async #takeOff(ended: readonly HeldUpload[], sweeps: number): Promise<boolean> {
    const others = await this.#changed({
      expression: 'DELETE jobs :ended ADD uploads :uploads, bytes :bytes, sweeps :one',
      values: {
        ended: new Set(ended.map(nameOf)),
        uploads: -ended.length,
        bytes: -ended.reduce((sum, { bytes }) => sum + bytes, 0),
        one: 1,
        sweeps,
      },
      condition: 'sweeps = :sweeps',
    });
    return others === null;
  }

  /** Null where the change was made; else what is held. */
  async #changed(change: {
    expression: string;
    values: Record<string, unknown>;
    condition: string;
  }): Promise<Holds | null> {
    try {
      await this.#table.update({ key: this.#key, ...change });
      return null;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return holdsOf(error.current);
    }
  }
}

function holdsOf(item: Item | null): Holds {
  const {
    jobs,
    uploads = 0,
    bytes = 0,
    sweeps = 0,
  } = (item ?? {}) as Partial<Held & Holds> & {
    jobs?: Set<string>;
  };
  return { names: [...(jobs ?? [])], uploads, bytes, sweeps };
}
