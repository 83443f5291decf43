/** What follows every request and every step: what they published is delivered. */

import type { TenantId } from '../../shared/tenant.ts';
import { dispatchPublished } from '../outbox/published-events.ts';
import { describeError, log } from './log.ts';

/** The work is done and is not failed by this: events that are left wait in the outbox for the sweep. */
export async function deliverPublished(tenant: TenantId): Promise<void> {
  try {
    await dispatchPublished(tenant);
  } catch (error) {
    log('error', 'events wait for the sweep', { tenant, ...describeError(error) });
  }
}
