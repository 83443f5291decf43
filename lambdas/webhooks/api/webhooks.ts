/** Webhooks, their secrets and their deliveries. */
import * as contract from '../../../build/contract/webhooks.js';
import { configurationHandlers, configurationServices } from '../../../platform/kernel/crud.ts';
import { requireReachable } from '../../../platform/kernel/reachable.ts';
import { accepted, noContent, ok, pageOf } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { EventLog, logged } from '../../../platform/outbox/event-log.ts';
import { testEvent } from '../../../platform/outbox/events.ts';
import { deliveryView, type StoredWebhook, Webhooks } from '../../../platform/outbox/webhooks.ts';
import { eventDispatch } from '../../../platform/runtime/publishing.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { InvalidState, Problem } from '../../../shared/problems.ts';
import { deliverEvent, redeliverEvents } from '../actions/start-deliveries.ts';
import { openedSecrets, sealedSecret } from '../actions/webhook-secrets.ts';
import { MAX_WEBHOOKS, rotated } from '../rules/standard-webhooks.ts';

const services = (tenant: TenantId) => {
  const shared = configurationServices(tenant);
  return {
    ...shared,
    webhooks: new Webhooks(shared.table, tenant),
    events: new EventLog(shared.table, tenant),
    dispatch: eventDispatch(tenant),
  };
};

export const handler = resource(contract, services, {
  ...configurationHandlers(contract, {
    webhooks: {
      check: (_, { url }) => requireReachable(url as string | undefined, '/url'),
      stored: async (given) => (given.enabled === true ? { ...given, disabled_reason: null } : given),
      initial: async (tenant, id) => ({ secrets: [await sealedSecret(tenant, id)] }),
      atMost: { items: MAX_WEBHOOKS, refusal: noRoom },
    },
  }),

  getWebhookSecret: async ({ params, tenant, now }, { webhooks }) => {
    const webhook = await webhooks.get(params.webhook_id);
    const [newest, ...before] = await openedSecrets(tenant, webhook, now);
    const previous = before.map(({ secret, expires_at }) => ({ secret, expires_at: defined(expires_at) }));
    return ok({ secret: defined(newest).secret, previous });
  },

  rotateWebhookSecret: async ({ params, tenant, now }, { webhooks }) => {
    const fresh = await sealedSecret(tenant, params.webhook_id);
    await webhooks.change(params.webhook_id, now, ({ secrets }) => ({
      secrets: rotated(secrets, fresh, now),
    }));
    return noContent();
  },

  testWebhook: async ({ params, tenant, now }, services) => {
    const { id } = requireEnabled(await services.webhooks.get(params.webhook_id));
    const turns = await services.dispatch.turns({ count: 1, isRequested: true }, now);
    const event = testEvent(now, id);
    await services.table.transact([logged(tenant, event)]);
    return accepted(
      await deliverEvent(id, event, { due: defined(turns[0]), now }, services),
      `/v1/events/${event.event_id}`,
    );
  },

  listWebhookDeliveries: async ({ params, query }, { webhooks }) => {
    const { id } = await webhooks.get(params.webhook_id);
    const path = `/v1/webhooks/${id}/deliveries`;
    return pageOf(query, {
      path,
      filters: [path],
      find: (position, size) => webhooks.page(id, position, size),
      read: async (events) => (await webhooks.getMany(id, events)).map(deliveryView),
    });
  },

  redeliverEvents: async ({ params, body, now }, services) => {
    const { id } = requireEnabled(await services.webhooks.get(params.webhook_id));
    const data = await redeliverEvents(id, body.event_ids, now, services);
    return { status: 202, body: { data } };
  },
});

function noRoom(): Problem {
  return new Problem('quota_exceeded', `A tenant has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
}

function requireEnabled(webhook: StoredWebhook): StoredWebhook {
  if (webhook.enabled) return webhook;
  throw new InvalidState('The webhook is disabled. Enable it first.');
}
