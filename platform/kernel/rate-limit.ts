/** Limits the requests of a tenant per minute, in fixed windows, for all its keys together. */
import type { TenantId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import { type Limits, RATE_WINDOW_S, rateHeaders } from '../../shared/usage.ts';
import { requestCountKey } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';

export async function countRequest(
  table: TenantTable,
  tenant: TenantId,
  { requests_per_minute: quota }: Limits,
  now: Date,
): Promise<{ headers: Record<string, string>; problem: Problem | null }> {
  if (quota === null) return { headers: {}, problem: null };
  const { start, seconds, left } = windowAt(now);
  const { hits } = await table.update<{ hits: number }>({
    key: requestCountKey(tenant, start),
    expression: 'ADD hits :one SET expires_at = :expires',
    values: { one: 1, expires: seconds + 2 * RATE_WINDOW_S },
  });
  const headers = rateHeaders(quota, hits, left);
  if (hits <= quota) return { headers, problem: null };
  const problem = new Problem('rate_limited', `The limit of this tenant is ${quota} requests a minute.`, {
    headers: { 'Retry-After': String(left) },
  });
  return { headers, problem };
}

/** The requests in the current window, and the end of the window. */
export async function countedRequests(table: TenantTable, tenant: TenantId, now: Date) {
  const { start } = windowAt(now);
  const counted = await table.get<{ hits: number }>(requestCountKey(tenant, start));
  return { used: counted?.hits ?? 0, resets_at: new Date((start + RATE_WINDOW_S) * 1000).toISOString() };
}

function windowAt(now: Date) {
  const seconds = Math.floor(now.getTime() / 1000);
  const passed = seconds % RATE_WINDOW_S;
  return { seconds, start: seconds - passed, left: RATE_WINDOW_S - passed };
}
