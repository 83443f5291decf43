/** Starts deliveries that a caller requests. */
import type { Delivery } from '../../../platform/outbox/deliveries.ts';
import type { EventLog } from '../../../platform/outbox/event-log.ts';
import type { Event } from '../../../platform/outbox/events.ts';
import { deliveryView, type Webhooks } from '../../../platform/outbox/webhooks.ts';
import type { eventDispatch } from '../../../platform/runtime/publishing.ts';
import { UnknownReference } from '../../../shared/problems.ts';

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

/** Problem details list at most this many findings. */
const MAX_FINDINGS = 50;

/** Delivers events of the log again, in the order of the ids. Throws unknown_reference if the log lacks one. */
export async function redeliverEvents(
  webhookId: string,
  ids: readonly string[],
  now: Date,
  services: Services & { readonly events: EventLog },
): Promise<Delivery[]> {
  const events = await services.events.findAll(ids, now);
  const known = new Set(events.map(({ event_id }) => event_id));
  const missing = ids.flatMap((id, at) =>
    known.has(id) ? [] : [{ pointer: `/event_ids/${at}`, kind: 'event', id }],
  );
  if (missing.length > 0) throw new UnknownReference(missing.slice(0, MAX_FINDINGS));
  const deliveries: Delivery[] = [];
  for (const event of events) deliveries.push(await deliverEvent(webhookId, event, now, services));
  return deliveries;
}
