/**
 * Published events of this process whose deliveries have not started. The kernel starts them after every request and
 * every step, so that no handler has to. After a crash, the sweep delivers the events that are still in the outbox.
 */
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/tenant.ts';

type Dispatch = (tenant: TenantId, events: readonly string[]) => Promise<void>;

const pending = new Map<TenantId, string[]>();
let dispatch: Dispatch | undefined;

/** Sets how published events reach their webhooks. Modules that publish call it when they are loaded. */
export function dispatchWith(given: Dispatch): void {
  dispatch = given;
}

export function notePublished(tenant: TenantId, events: readonly string[]): void {
  pending.set(tenant, [...(pending.get(tenant) ?? []), ...events]);
}

/** Delivers all events that requests of the tenant published in this process. */
export async function dispatchPublished(tenant: TenantId): Promise<void> {
  const events = pending.get(tenant);
  if (events === undefined) return;
  pending.delete(tenant);
  await defined(dispatch)(tenant, events);
}
