/** Delivers the published events after every request and every step. */
import type { TenantId } from '../../shared/ids.ts';
import { dispatchPublished } from '../outbox/published-events.ts';
import { describeError, log } from '../runtime/log.ts';

/** A failure here does not fail the request: the sweep delivers the events that are still in the outbox. */
export async function deliverPublished(tenant: TenantId): Promise<void> {
  try {
    await dispatchPublished(tenant);
  } catch (error) {
    log('error', 'events wait for the sweep', { tenant, ...describeError(error) });
  }
}
