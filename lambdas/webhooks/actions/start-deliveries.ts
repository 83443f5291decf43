/** Starts deliveries that a caller requests. */
import type { EventLog } from '../../../platform/outbox/event-log.ts';
import type { Event } from '../../../platform/outbox/events.ts';
import { type Delivery, deliveryView, type Webhooks } from '../../../platform/outbox/webhooks.ts';
import type { eventDispatch } from '../../../platform/runtime/publishing.ts';
import { defined } from '../../../shared/checked-access.ts';
import { requireKnown } from '../../../shared/problems.ts';

interface Services {
  readonly webhooks: Webhooks;
  readonly dispatch: ReturnType<typeof eventDispatch>;
}

/** Starts the delivery of an event, or restarts one that has ended. */
export async function deliverEvent(
  webhookId: string,
  event: Event,
  { due, now }: { readonly due: Date; readonly now: Date },
  { webhooks, dispatch }: Services,
): Promise<Delivery> {
  const current = await webhooks.begin(webhookId, event, due, now);
  const delivery = current.status === 'pending' ? current : await webhooks.beginAgain(current, due);
  await dispatch.start(delivery, now);
  return deliveryView(delivery);
}

/** Delivers events of the log again, in the order of the ids. Throws unknown_reference if the log has no such event, and
 * rate_limited if too many deliveries of the tenant wait. */
export async function redeliverEvents(
  webhookId: string,
  ids: readonly string[],
  now: Date,
  services: Services & { readonly events: EventLog },
): Promise<Delivery[]> {
  const events = await services.events.findAll(ids, now);
  const known = new Set(events.map(({ event_id }) => event_id));
  requireKnown(ids, known, { pointer: '/event_ids', kind: 'event', most: 50 });
  const deliveries: Delivery[] = [];
  const turns = await services.dispatch.turns({ count: events.length, isRequested: true }, now);
  for (const [at, event] of events.entries())
    deliveries.push(await deliverEvent(webhookId, event, { due: defined(turns[at]), now }, services));
  return deliveries;
}
