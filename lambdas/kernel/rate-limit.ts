/** How many requests a tenant may send a minute: counted in fixed windows, for all of its keys together. */
import { requestCountKey } from '../data/keys.ts';
import type { TenantTable } from '../data/table.ts';
import { type Limits, RATE_WINDOW_S, rateHeaders } from '../domain/limits.ts';
import { Problem } from '../domain/problems.ts';
import type { TenantId } from '../domain/tenant.ts';

const CACHE_MS = 60_000;
const CACHE_TENANTS = 1_000;

export interface LimitStore {
  find(tenant: TenantId): Promise<Limits>;
}

/** Limits by tenant, at most a minute old. */
export class LimitCache {
  readonly #store: LimitStore;
  readonly #now: () => Date;
  readonly #cache = new Map<TenantId, { limits: Limits; until: number }>();

  constructor(store: LimitStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  async of(tenant: TenantId): Promise<Limits> {
    const now = this.#now().getTime();
    const cached = this.#cache.get(tenant);
    if (cached !== undefined && cached.until > now) return cached.limits;
    const limits = await this.#store.find(tenant);
    if (this.#cache.size >= CACHE_TENANTS) this.#cache.clear();
    this.#cache.set(tenant, { limits, until: now + CACHE_MS });
    return limits;
  }
}

/** Counts a request. The headers that tell what is left; none where the tenant has no limit. */
export async function countRequest(
  table: TenantTable,
  tenant: TenantId,
  { requests_per_minute: quota }: Limits,
  now: Date,
): Promise<{ headers: Record<string, string>; problem: Problem | null }> {
  if (quota === null) return { headers: {}, problem: null };
  const seconds = Math.floor(now.getTime() / 1000);
  const left = RATE_WINDOW_S - (seconds % RATE_WINDOW_S);
  const { hits } = await table.update<{ hits: number }>({
    key: requestCountKey(tenant, seconds - (seconds % RATE_WINDOW_S)),
    expression: 'ADD hits :one SET expires_at = :expires',
    values: { one: 1, expires: seconds + 2 * RATE_WINDOW_S },
  });
  const headers = rateHeaders(quota, hits, left);
  if (hits <= quota) return { headers, problem: null };
  const problem = new Problem('rate_limited', `This tenant may send ${quota} requests a minute.`, {
    headers: { 'Retry-After': String(left) },
  });
  return { headers, problem };
}
