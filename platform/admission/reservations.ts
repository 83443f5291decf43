/**
 * Reserves what a job needs before the job is recorded: a concurrency slot of its tenant, and its share of the
 * tenant's quotas and budget. A reservation lasts until the job has ended and is metered. Jobs do not release their
 * reservations: the next reservation removes the reservations of ended jobs.
 */
import { itemAt } from '../../shared/checked-access.ts';
import type { AssetId, JobId, TenantId } from '../../shared/ids.ts';
import { isTerminal } from '../../shared/jobs.ts';
import { Problem } from '../../shared/problems.ts';
import { type Limits, type Metric, meters, type UsageReport } from '../../shared/usage.ts';
import type { AllJobs } from '../jobs/job-records.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import type { Usage } from '../usage/metering.ts';
import { type Amount, amountsOf, type Demand } from './demand.ts';
import { JobSlots, type SlotHolder } from './job-slots.ts';
import { quotaWouldBeExceeded, requireQuotasLeft, roomBeside } from './quotas.ts';
import { ReservedQuantities, type ReservedQuantity } from './reserved-quantities.ts';

/** Age in seconds from which a request counts as crashed: API Gateway ends requests after 30 s. */
const REQUEST_S = 60;
/** Retry-After, in seconds, if no slot is free. */
const RETRY_AFTER_S = 30;

export interface Reserving {
  /** Id of the asset, or of the branding file, that the job works on. */
  readonly owner_id: string;
  readonly job_id: JobId;
  readonly demands: readonly Demand[];
  readonly limits: Limits;
  /** The time of the reservation. The job counts toward the month of this time. */
  readonly now: Date;
  /** A sentence for the detail of a refusal: which data the caller need not send again. */
  readonly kept?: string;
}

export interface Reservation {
  /** Releases what was reserved, if the job is not recorded. A repeat has no effect. */
  readonly release: () => Promise<void>;
}

export class Reservations {
  readonly #ephemeral: TenantTable;
  readonly #tenant: TenantId;
  readonly #usage: Usage;
  readonly #jobs: Pick<AllJobs, 'find'>;

  /** @param ephemeral stores the reservations. If it is lost, running jobs no longer count toward the limits */
  constructor(
    ephemeral: TenantTable,
    tenant: TenantId,
    { usage, jobs }: { readonly usage: Usage; readonly jobs: Pick<AllJobs, 'find'> },
  ) {
    this.#ephemeral = ephemeral;
    this.#tenant = tenant;
    this.#usage = usage;
    this.#jobs = jobs;
  }

  /** Throws rate_limited if the tenant has no free slot, and quota_exceeded if a quota or the budget has no room for the job. */
  async reserve(reserving: Reserving): Promise<Reservation> {
    const slot = await this.#reserveSlot(reserving);
    try {
      const quotas = await this.reserveQuotas(reserving);
      return bothOf(slot, quotas);
    } catch (error) {
      await slot.release();
      throw error;
    }
  }

  /** Reserves quotas for a job that has a slot already. Reads nothing for meters without a quota. */
  async reserveQuotas(reserving: Omit<Reserving, 'kept'> & { readonly kept?: string }): Promise<Reservation> {
    const { demands, limits } = reserving;
    const isLimited = ({ meter }: Amount) => limits.quotas[meters[meter].metric] !== undefined;
    const pools = Map.groupBy(amountsOf(demands, limits), poolOf);
    let reserved: Reservation = nothing;
    try {
      for (const [pool, amounts] of pools) {
        // An upload is refused if any quota is used up: its ingest would need that quota.
        const applies = pool === uploads ? Object.keys(limits.quotas).length > 0 : amounts.some(isLimited);
        if (applies) reserved = bothOf(reserved, await this.#reserveAmounts(pool, amounts, reserving));
      }
      return reserved;
    } catch (error) {
      await reserved.release();
      throw error;
    }
  }

  async #reserveSlot({
    limits: { concurrent_jobs: most },
    now,
    kept = '',
    ...ids
  }: Reserving): Promise<Reservation> {
    if (most === null) return nothing;
    const slots = new JobSlots(this.#ephemeral, this.#tenant);
    const holder = holderOf(ids, now);
    const hasEnded = async (other: SlotHolder) => {
      // A retry of the request replaces the slot of its first run.
      if (other.job_id === holder.job_id) return true;
      const job = await this.#jobs.find(other.job_id);
      return job === null ? isAbandoned(other, holder) : isTerminal(job.status);
    };
    if (await slots.take(holder, most, hasEnded)) return { release: () => slots.release(holder) };
    throw new Problem(
      'rate_limited',
      `The tenant runs ${most} jobs, which is its limit. Try again when one has ended. ${kept}`.trim(),
      { headers: { 'Retry-After': String(RETRY_AFTER_S) } },
    );
  }

  async #reserveAmounts(
    pool: Pool,
    amounts: readonly Amount[],
    { limits, now, kept, ...ids }: Reserving,
  ): Promise<Reservation> {
    const quantities = new ReservedQuantities(this.#ephemeral, this.#tenant, pool ?? undefined);
    const sizes = amounts.filter(({ meter }) => meter !== 'uploads');
    const own = { ...holderOf(ids, now), bytes: Math.max(...sizes.map(({ quantity }) => quantity)) };
    let used: UsageReport = { period: '', metrics: [] };
    const roomOf = (some: readonly Amount[]) =>
      Math.min(Number.MAX_SAFE_INTEGER, ...some.map((amount) => roomBeside(amount, limits, used)));
    const mostOthers = async () => {
      used = await this.#usage.current(now);
      if (pool === uploads) requireQuotasLeft(limits, used);
      return { uploads: roomOf(amounts.filter(({ meter }) => meter === 'uploads')), bytes: roomOf(sizes) };
    };
    const others = await quantities.reserve(own, mostOthers, (held) => this.#endedOf(held, own, pool));
    if (others === null) return { release: () => quantities.release(own) };
    const reservedOf = ({ meter }: Amount) => (meter === 'uploads' ? others.uploads : others.bytes);
    const refused =
      amounts.find((amount) => reservedOf(amount) > roomBeside(amount, limits, used)) ?? itemAt(amounts, 0);
    throw quotaWouldBeExceeded(refused, { reserved: reservedOf(refused), limits, used, kept });
  }

  /** The reservations to remove. Their jobs have ended or were never recorded, or the usage already counts their uploads. */
  async #endedOf(
    held: readonly ReservedQuantity[],
    own: ReservedQuantity,
    pool: Pool,
  ): Promise<readonly ReservedQuantity[]> {
    if (held.length === 0) return [];
    const found = await Promise.all(held.map(({ job_id }) => this.#jobs.find(job_id)));
    const metered = new Set(pool === uploads ? await this.#usage.meteredOf(held) : []);
    return held.filter((other, at) => {
      // A retry of a request has a later time, and replaces the first reservation. A step's reservations have the
      // creation time of the job, and stay.
      if (other.job_id === own.job_id) return other.since !== own.since;
      const job = found[at] ?? null;
      return job === null ? isAbandoned(other, own) : metered.has(other) || isTerminal(job.status);
    });
  }
}

/** The reservations in one item of the Ephemeral table: those of one metric. Null: those of all meters of uploads. */
type Pool = Metric | null;
const uploads: Pool = null;

const poolOf = ({ meter }: Amount): Pool =>
  meter === 'uploads' || meter === 'uploaded_bytes' || meter === 'stored_bytes'
    ? uploads
    : meters[meter].metric;

const holderOf = ({ owner_id, job_id }: Pick<Reserving, 'owner_id' | 'job_id'>, now: Date): SlotHolder => ({
  asset_id: owner_id as AssetId,
  job_id,
  since: Math.floor(now.getTime() / 1000),
});

/** Whether the request of an unrecorded job has crashed: a request records its job within REQUEST_S of the reservation. */
const isAbandoned = (other: SlotHolder, own: SlotHolder): boolean => own.since - other.since > REQUEST_S;

const nothing: Reservation = { release: async () => {} };

const bothOf = (one: Reservation, other: Reservation): Reservation => ({
  release: async () => {
    await Promise.all([one.release(), other.release()]);
  },
});
