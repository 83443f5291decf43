/**
 * What this process published and has not had delivered. The kernel empties it after every request and every step, so
 * that no handler has to remember to; what dies before that is left in the outbox, which a schedule sweeps.
 */
import type { TenantId } from '../../shared/tenant.ts';

type Dispatch = (tenant: TenantId, events: readonly string[]) => Promise<void>;

const pending = new Map<TenantId, string[]>();
let dispatch: Dispatch | undefined;

/** Says how published events reach their webhooks; whatever publishes says so when it is loaded. */
export function dispatchWith(given: Dispatch): void {
  dispatch = given;
}

export function notePublished(tenant: TenantId, events: readonly string[]): void {
  pending.set(tenant, [...(pending.get(tenant) ?? []), ...events]);
}

/** Has all delivered that the tenant's requests published here. */
export async function dispatchPublished(tenant: TenantId): Promise<void> {
  const events = pending.get(tenant);
  if (events === undefined) return;
  pending.delete(tenant);
  await dispatch!(tenant, events);
}
