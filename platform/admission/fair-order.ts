/**
 * The order in which waiting jobs start. Tenants take turns, and the jobs of one tenant start by age. A job may need
 * places in several pools. It starts when each of these pools has a free place.
 */
import { defined, itemAt } from '../../shared/checked-access.ts';
import type { Pools } from './capacity.ts';

interface OfTenant {
  readonly tenant: string;
}

export interface PlacedJob extends OfTenant {
  readonly pools: readonly string[];
}

export interface QueuedJob extends OfTenant {
  readonly places: Pools;
}

export interface Turn<Job> {
  readonly job: Job;
  /** The pools that have no place for the job. Empty if it may start. */
  readonly full: readonly string[];
}

/**
 * The tenant with the fewest jobs in its scarcest pool comes next. If tenants are equal, the one that had the last turn
 * comes later. If they are still equal, the older job comes first. A job that cannot start does not block jobs in other
 * pools. But the first such job reserves a place in each of its pools: otherwise jobs that need fewer pools would pass
 * it forever.
 * @param running all running jobs
 * @param waiting oldest first
 * @param ended jobs whose places have just become free
 */
export function fairOrder<Job extends QueuedJob>(
  running: readonly PlacedJob[],
  waiting: readonly Job[],
  ended: readonly PlacedJob[] = [],
): Turn<Job>[] {
  const taken = new Counts(running.flatMap(({ pools }) => pools));
  const underWay = new Counts(running.flatMap(sharesOf));
  const hadTurn = new Counts(ended.flatMap(sharesOf));
  const kept = new Set<string>();
  const queues = queuesOf(waiting, (pools) => scarcest(pools, taken));
  const isBefore = (one: Queued<Job>, other: Queued<Job>): boolean => {
    const less = underWay.of(one.share) - underWay.of(other.share);
    const order = less || hadTurn.of(one.share) - hadTurn.of(other.share);
    return order < 0 || (order === 0 && one.age < other.age);
  };
  return waiting.map(() => {
    const next = queues
      .filter((queue) => queue.length > 0)
      .reduce((best, queue) => (isBefore(itemAt(queue, 0), itemAt(best, 0)) ? queue : best));
    const { job, share } = defined(next.shift());
    const pools = Object.keys(job.places);
    const full = pools.filter((pool) => taken.of(pool) >= defined(job.places[pool]));
    const starts = full.length === 0;
    underWay.add(...(starts ? sharesOf({ tenant: job.tenant, pools }) : [share]));
    const free = pools.filter((pool) => !full.includes(pool) && (starts || !kept.has(pool)));
    taken.add(...free);
    if (!starts) for (const pool of free) kept.add(pool);
    return { job, full };
  });
}

/** For each job that cannot start yet: its position among the jobs that wait for a place in the same pools, from 1. */
export function positionsIn<Job extends QueuedJob>(turns: readonly Turn<Job>[]): Map<Job, number> {
  const waiting = turns.filter(({ full }) => full.length > 0);
  const waitForSame = (one: Turn<Job>, other: Turn<Job>) =>
    one.full.some((pool) => other.full.includes(pool));
  return new Map(
    waiting.map((turn, at) => [
      turn.job,
      1 + waiting.slice(0, at).filter((before) => waitForSame(before, turn)).length,
    ]),
  );
}

interface Queued<Job> {
  readonly job: Job;
  /** The index of the job among all waiting jobs: the oldest job has 0. */
  readonly age: number;
  /** The tenant and pool that decide the turn of the job. */
  readonly share: string;
}

/** Divides the waiting jobs into queues. The jobs of one queue have the same tenant and the same scarcest pool. */
function queuesOf<Job extends QueuedJob>(waiting: readonly Job[], scarcestOf: (pools: Pools) => string) {
  const all = waiting.map((job, age) => ({ job, age, share: shareOf(job.tenant, scarcestOf(job.places)) }));
  return [...Map.groupBy(all, ({ share }) => share).values()];
}

/** The pool with the fewest free places. If several have equally few, the smallest of them. */
const scarcest = (pools: Pools, taken: Counts): string =>
  Object.keys(pools).reduce((least, pool) => {
    const fewer = defined(pools[pool]) - taken.of(pool) - (defined(pools[least]) - taken.of(least));
    return fewer < 0 || (fewer === 0 && defined(pools[pool]) < defined(pools[least])) ? pool : least;
  });

const shareOf = (tenant: string, pool: string): string => `${tenant}/${pool}`;
const sharesOf = ({ tenant, pools }: PlacedJob): string[] => pools.map((pool) => shareOf(tenant, pool));

class Counts {
  readonly #counts = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.add(...names);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(...names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, this.of(name) + 1);
  }
}
