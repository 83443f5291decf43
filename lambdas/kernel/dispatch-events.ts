/** Has webhooks told of what a request published. */
import type { TenantId } from '../domain/tenant.ts';
import { eventDispatch } from '../runtime/events.ts';
import { describeError, log } from './log.ts';

/**
 * Starts the deliveries of what a request published. The request has done its work and is not failed by this:
 * what is left in the outbox goes out with the tenant's next event.
 */
export async function dispatchEvents(tenant: TenantId, now: Date): Promise<void> {
  try {
    await eventDispatch(tenant).run(now);
  } catch (error) {
    log('error', 'events wait for the next dispatch', { tenant, ...describeError(error) });
  }
}
