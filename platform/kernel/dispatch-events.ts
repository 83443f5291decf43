/** Has webhooks told of what a request published. */

import { eventDispatch } from '../runtime/events.ts';
import { idAt } from '../shared/derived-ids.ts';
import type { TenantId } from '../shared/tenant.ts';
import { describeError, log } from './log.ts';

/** Characters of a UUIDv7 that are its time. */
const TIME_LENGTH = 13;
/** Who published an event and has not started its deliveries by then, in ms, has died. */
const ABANDONED_MS = 10_000;

/**
 * Starts the deliveries of what a request published at `now`, and of what others have left behind. What others are
 * about to start is left to them, else many requests at once would each do the work of all. The request has done its
 * work and is not failed by this: what is left in the outbox goes out with the tenant's next event.
 */
export async function dispatchEvents(tenant: TenantId, now: Date): Promise<void> {
  try {
    const own = idAt(now.getTime(), '0').slice(0, TIME_LENGTH);
    const abandoned = idAt(now.getTime() - ABANDONED_MS, '0');
    await eventDispatch(tenant).run(now, (event) => event.startsWith(own) || event < abandoned);
  } catch (error) {
    log('error', 'events wait for the next dispatch', { tenant, ...describeError(error) });
  }
}
