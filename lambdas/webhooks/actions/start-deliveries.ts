/** Starts deliveries that a caller requests. */
import type { EventLog } from '../../../platform/outbox/event-log.ts';
import type { Event } from '../../../platform/outbox/events.ts';
import { type Delivery, deliveryView, type Webhooks } from '../../../platform/outbox/webhooks.ts';
import type { eventDispatch } from '../../../platform/runtime/publishing.ts';
import { requireKnown } from '../../../shared/problems.ts';

interface Services {
  readonly webhooks: Webhooks;
  readonly dispatch: ReturnType<typeof eventDispatch>;
}

/** Starts the delivery of an event, or restarts one that has ended. */
export async function deliverEvent(
  webhookId: string,
  event: Event,
  now: Date,
  { webhooks, dispatch }: Services,
): Promise<Delivery> {
  const current = await webhooks.begin(webhookId, event, now);
  const delivery = current.status === 'pending' ? current : await webhooks.beginAgain(current, now);
  await dispatch.start(delivery);
  return deliveryView(delivery);
}

/** Delivers events of the log again, in the order of the ids. Throws unknown_reference if the log has no such event. */
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
  for (const event of events) deliveries.push(await deliverEvent(webhookId, event, now, services));
  return deliveries;
}
