/**
 * Metering. A usage event, its count, its cost and its line on the job's receipt are one transaction, so that a
 * repeated step counts nothing twice. Counters are sharded, because the transactions of a busy tenant would clash on a
 * single item.
 */
import { createHash } from 'node:crypto';
import { defined, itemAt } from '../../shared/checked-access.ts';
import type { AssetId, JobId, TenantId } from '../../shared/ids.ts';
import {
  type Counts,
  costOf,
  type DoneBy,
  levelsBack,
  type Meter,
  meterNames,
  periodOf,
  periodsBefore,
  reportOf,
  type UsageReport,
} from '../../shared/usage.ts';
import { checkAssetExists } from '../records/asset-children.ts';
import {
  absent,
  receiptKey,
  storedBytesKey,
  usageEventKey,
  usageKey,
  usagePartition,
} from '../table/keys.ts';
import { type TenantTable, TransactionRefused, type Write } from '../table/tenant-table.ts';

const SHARDS = 8;
/** The period of levels, such as stored bytes. Levels continue from month to month. */
const totalPeriod = 'total';

export interface UsageEvent {
  /** The id of the result, such as a transcription. It counts once for each meter. */
  readonly use_id: string;
  readonly meter: Meter;
  readonly quantity: number;
  /** The creation time of the job. A step that runs again later therefore counts in the same month. */
  readonly at: string;
  /** The job whose receipt shows the use. */
  readonly job_id: JobId;
  /** Null if Kinora does the work itself, which costs nothing. */
  readonly by: DoneBy | null;
}

interface StoredBytes {
  readonly bytes: number;
  readonly job_id: JobId;
}

export class Usage {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #onCost: (microusd: number) => void;

  /** @param onCost called with the cost of each use, once */
  constructor(table: TenantTable, tenant: TenantId, onCost: (microusd: number) => void = () => {}) {
    this.#table = table;
    this.#tenant = tenant;
    this.#onCost = onCost;
  }

  async record(event: UsageEvent): Promise<void> {
    try {
      await this.#table.transact(this.recorded(event));
    } catch (error) {
      if (error instanceof TransactionRefused) return;
      throw error;
    }
    const microusd = costOf(event.meter, event.quantity, event.by);
    if (microusd) this.#onCost(microusd);
  }

  /** The writes that record the event, for the transaction of its result. The transaction is refused if the event was recorded before. */
  recorded({ use_id, meter, quantity, at, job_id, by }: UsageEvent): Write[] {
    const period = periodOf(new Date(at));
    const microusd = costOf(meter, quantity, by);
    const event = { ...usageEventKey(this.#tenant, period, use_id, meter), quantity, job_id };
    return [
      { put: { ...event, ...(by && { engine: by.engine, microusd }) }, condition: absent },
      this.#add(period, meter, use_id, quantity),
      ...(microusd ? [this.#add(period, 'cost_microusd', use_id, microusd)] : []),
      {
        update: {
          key: receiptKey(this.#tenant, job_id, { meter, engine: by?.engine ?? '', shard: shardOf(use_id) }),
          expression: 'ADD quantity :quantity, microusd :microusd, unpriced :unpriced',
          values: { quantity, microusd: microusd ?? 0, unpriced: Number(microusd === null) },
        },
      },
    ];
  }

  /**
   * Sets the stored bytes of an owner. They replace the bytes of an earlier upload.
   * @param ownerId the id of the asset or branding file
   * @param stays a write that fails while the owner is being deleted
   */
  async recordStored(
    ownerId: string,
    jobId: JobId,
    {
      bytes,
      now,
      stays = checkAssetExists(this.#tenant, ownerId as AssetId),
    }: { readonly bytes: number; readonly now: Date; readonly stays?: Write | undefined },
  ): Promise<void> {
    await this.#level(ownerId, now, (before) =>
      before?.job_id === jobId
        ? null
        : {
            change: bytes - (before?.bytes ?? 0),
            writes: (key, seen) => [
              stays,
              { put: { ...key, bytes, job_id: jobId }, ...(seen ?? { condition: absent }) },
            ],
          },
    );
  }

  async recordRemoved(ownerId: string, now: Date): Promise<void> {
    await this.#level(ownerId, now, (before) =>
      before === null ? null : { change: -before.bytes, writes: (key, seen) => [{ delete: key, ...seen }] },
    );
  }

  /** Changes the stored bytes of an owner, and the level of the tenant. The owner's item ensures that a repeat changes nothing. */
  async #level(
    ownerId: string,
    now: Date,
    decide: (before: StoredBytes | null) => {
      change: number;
      writes: (
        key: ReturnType<typeof storedBytesKey>,
        seen: { condition: string; values: Record<string, string> } | undefined,
      ) => Write[];
    } | null,
  ): Promise<void> {
    const key = storedBytesKey(this.#tenant, ownerId);
    const before = await this.#table.get<StoredBytes>(key);
    const decided = decide(before);
    if (decided === null) return;
    const seen =
      before === null ? undefined : { condition: 'job_id = :seen', values: { seen: before.job_id } };
    try {
      await this.#table.transact([
        ...decided.writes(key, seen),
        this.#add(periodOf(now), 'stored_bytes', ownerId, decided.change),
        this.#add(totalPeriod, 'stored_bytes', ownerId, decided.change),
      ]);
    } catch (error) {
      // The asset is being deleted, or another run of the same step was faster.
      if (!(error instanceof TransactionRefused)) throw error;
    }
  }

  async meteredOf<Upload extends { readonly asset_id: AssetId; readonly job_id: JobId }>(
    uploads: readonly Upload[],
  ): Promise<Upload[]> {
    const keys = uploads.map(({ asset_id }) => storedBytesKey(this.#tenant, asset_id));
    const stored = new Set((await this.#table.getAll<StoredBytes>(keys)).map(({ job_id }) => job_id));
    return uploads.filter(({ job_id }) => stored.has(job_id));
  }

  async current(now: Date): Promise<UsageReport> {
    const [counts, total] = await Promise.all([this.#counts(periodOf(now)), this.#counts(totalPeriod)]);
    return reportOf(periodOf(now), { ...counts, stored_bytes: total.stored_bytes });
  }

  /** The reports of the previous months, the latest first. */
  async history(now: Date, months: number): Promise<UsageReport[]> {
    const periods = periodsBefore(now, months);
    const [total, ...all] = await Promise.all(
      [totalPeriod, periodOf(now), ...periods].map((period) => this.#counts(period)),
    );
    const changes = all.slice(0, -1).map(({ stored_bytes }) => stored_bytes);
    const levels = levelsBack(defined(total).stored_bytes, changes);
    return periods.map((period, at) =>
      reportOf(period, { ...itemAt(all, at + 1), stored_bytes: itemAt(levels, at) }),
    );
  }

  /** Reads backward: the counters sort after the events of the month, which are many more. */
  async #counts(period: string): Promise<Counts> {
    const { items } = await this.#table.query<{ quantity: number }>({
      pk: usagePartition(this.#tenant, period),
      newestFirst: true,
      limit: meterNames.length * SHARDS,
      consistent: true,
    });
    const sumOf = (meter: Meter) =>
      items.filter(({ sk }) => sk.startsWith(`${meter}#`)).reduce((sum, { quantity }) => sum + quantity, 0);
    return Object.fromEntries(meterNames.map((meter) => [meter, sumOf(meter)])) as Record<Meter, number>;
  }

  #add(period: string, meter: Meter, id: string, quantity: number): Write {
    return {
      update: {
        key: usageKey(this.#tenant, period, meter, shardOf(id)),
        expression: 'ADD quantity :quantity',
        values: { quantity },
      },
    };
  }
}

const shardOf = (id: string): number => defined(createHash('sha256').update(id).digest()[0]) % SHARDS;
