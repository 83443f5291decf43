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
  const seconds = Math.floor(now.getTime() / 1000);
  const left = RATE_WINDOW_S - (seconds % RATE_WINDOW_S);
  const { hits } = await table.update<{ hits: number }>({
    key: requestCountKey(tenant, seconds - (seconds % RATE_WINDOW_S)),
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
