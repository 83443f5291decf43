/**
 * Limits of webhook deliveries, so that receivers that do not answer occupy few functions. The limits are places for
 * requests under way, turns of each tenant, and a circuit breaker for each host of a tenant. See docs/decisions/0077.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { TenantId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import { deliveryLimitKey, deliveryPlaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';

/** The maximum number of requests of a tenant under way at once. */
const MOST_OF_A_TENANT = 8;
/** The time after which a place is free again if its function crashed, ms. Longer than the time-out of the function. */
const LEASE_MS = 45_000;

/**
 * The places that a tenant may use: at most a quarter of all places. A hash chooses different places for each tenant, so
 * no tenant can take the places of all others ("Workload isolation using shuffle-sharding", Amazon Builders' Library).
 */
export function placesOf(tenant: string, places: number): number[] {
  const most = Math.min(MOST_OF_A_TENANT, Math.ceil(places / 4));
  return Array.from({ length: places }, (_, place) => ({ place, rank: digestOf(`${tenant} ${place}`) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, most)
    .map(({ place }) => place);
}

const digestOf = (name: string) => createHash('sha256').update(name).digest('hex');

export type Release = () => Promise<unknown>;

/** Takes a place for a request. Returns the function that frees it, or null if all places of the tenant are taken. */
export async function takePlace(
  table: Table,
  tenant: TenantId,
  places: number,
  now: Date,
): Promise<Release | null> {
  const holder = randomUUID();
  const [at, until] = [now.getTime(), now.getTime() + LEASE_MS];
  for (const place of placesOf(tenant, places)) {
    const key = deliveryPlaceKey(place);
    const isTaken = await table.change({
      key,
      expression: 'SET holder = :holder, free_at = :until',
      condition: 'attribute_not_exists(free_at) OR free_at < :at',
      values: { holder, until, at },
    });
    const free = { key, expression: 'REMOVE free_at', condition: 'holder = :holder', values: { holder } };
    if (isTaken) return () => table.change(free);
  }
  return null;
}

/** The time from one turn of a tenant to the next, ms. */
const TURN_MS = 100;
/** The unused time, ms, that a tenant may use later. It allows forty deliveries to start at once. */
const BURST_MS = 40 * TURN_MS;
/** The latest turn, in ms from now, for deliveries that a caller requests. */
const REQUESTED_AHEAD_MS = 30_000;

/**
 * Reserves turns of the tenant, one after the other. Returns the time of the first, which may be in the past. This is the
 * generic cell rate algorithm (ITU-T I.371): the item stores the time of the next free turn.
 * @param isRequested whether a caller requested the deliveries; if so, throws rate_limited if too many deliveries wait
 */
export async function reserveTurns(
  table: TenantTable,
  tenant: TenantId,
  { count, isRequested }: { readonly count: number; readonly isRequested: boolean },
  now: Date,
): Promise<Date[]> {
  const key = deliveryLimitKey(tenant, 'TURNS');
  const from = now.getTime() - BURST_MS;
  const limit = isRequested ? now.getTime() + REQUESTED_AHEAD_MS : Number.MAX_SAFE_INTEGER;
  const taken = count * TURN_MS;
  for (;;) {
    const next = await table.tryUpdate({
      key,
      expression: 'ADD next_ms :taken',
      condition: 'next_ms BETWEEN :from AND :limit',
      values: { taken, from, limit },
    });
    const next_ms = Number(next.item?.next_ms ?? 0);
    if (next.isDone) return turnsFrom(next_ms - taken, count);
    if (next_ms > limit) throw tooMany(next_ms - limit);
    const first = {
      key,
      expression: 'SET next_ms = :next',
      condition: 'attribute_not_exists(next_ms) OR next_ms < :from',
      values: { next: from + taken, from },
    };
    if (await table.change(first)) return turnsFrom(from, count);
  }
}

const turnsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(first + at * TURN_MS));

const tooMany = (ms: number) =>
  new Problem('rate_limited', 'Too many deliveries of this tenant wait for their turn.', {
    headers: { 'Retry-After': String(Math.ceil(ms / 1000)) },
  });

/** The number of requests to a host in a row without an answer, after which the time-out is shorter, and the circuit breaker opens. */
const SILENCES = { shorter: 2, open: 5 };
const PATIENCE_MS = { first: 15_000, shorter: 5000 };
const PAUSE_MS = { first: 10_000, longest: 300_000 };

/** The time-out of a request to a host that gave no answer this many times in a row, ms. */
export const patienceFor = (silences: number): number =>
  silences < SILENCES.shorter ? PATIENCE_MS.first : PATIENCE_MS.shorter;

/** The pause before the next request to a host that gave no answer this many times in a row, ms. */
export const pauseAfter = (silences: number): number =>
  silences < SILENCES.open
    ? 0
    : Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** Math.min(10, silences - SILENCES.open));

/**
 * The circuit breaker of a host. Only requests without an answer count, because only they occupy a function for long.
 * Each tenant has its own circuit breakers, so that no tenant can stop the deliveries of others.
 */
export class Circuit {
  readonly #table: TenantTable;
  readonly #key: ReturnType<typeof deliveryLimitKey>;
  #silences = 0;

  constructor(table: TenantTable, tenant: TenantId, url: string) {
    this.#table = table;
    this.#key = deliveryLimitKey(tenant, `HOST#${new URL(url).host}`);
  }

  get patienceMs(): number {
    return patienceFor(this.#silences);
  }

  /** When the host may be tried again; null if now. After a pause, only one request tries it, and others wait for its result. */
  async closedUntil(now: Date): Promise<Date | null> {
    const host = await this.#table.get<{ silences: number; until_ms: number }>(this.#key);
    this.#silences = host?.silences ?? 0;
    if (host === null || this.#silences < SILENCES.open) return null;
    const next = now.getTime() + this.patienceMs + 1000;
    const isTried =
      host.until_ms <= now.getTime() &&
      (await this.#table.change({
        key: this.#key,
        expression: 'SET until_ms = :next',
        condition: 'until_ms = :seen',
        values: { next, seen: host.until_ms },
      }));
    return isTried ? null : new Date(Math.max(host.until_ms, next));
  }

  /** Records whether the host answered, with any status. */
  async record(isAnswered: boolean, now: Date): Promise<void> {
    if (!isAnswered) {
      const until = now.getTime() + pauseAfter(this.#silences + 1);
      const expires = Math.ceil(now.getTime() / 1000) + 86_400;
      await this.#table.change({
        key: this.#key,
        expression: 'ADD silences :one SET until_ms = :until, expires_at = :expires',
        values: { one: 1, until, expires },
      });
    } else if (this.#silences > 0) await this.#table.delete(this.#key);
  }
}
