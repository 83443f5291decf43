/**
 * Published events of this process whose deliveries have not started. The kernel starts them after every request and
 * every step, so that no handler has to start them. After a crash, the sweep delivers the events that are still in the
 * outbox.
 */
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';

type Dispatch = (tenant: TenantId, events: readonly string[]) => Promise<void>;

export type Published = Map<TenantId, string[]>;

const ofThisProcess: Published = new Map();
let published = () => ofThisProcess;
let dispatch: Dispatch | undefined;

export function keepPublishedIn(given: () => Published | undefined): void {
  published = () => given() ?? ofThisProcess;
}

/** Sets how published events reach their webhooks. Modules that publish call this function when they are loaded. */
export function dispatchWith(given: Dispatch): void {
  dispatch = given;
}

export function notePublished(tenant: TenantId, events: readonly string[]): void {
  published().set(tenant, [...(published().get(tenant) ?? []), ...events]);
}

export async function dispatchPublished(tenant: TenantId): Promise<void> {
  const events = published().get(tenant);
  if (events === undefined) return;
  published().delete(tenant);
  await defined(dispatch)(tenant, events);
}
