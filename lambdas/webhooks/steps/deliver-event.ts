/** One attempt to deliver an event to a webhook. The response decides whether the machine waits and tries again. */
import { webhooks as engines } from '../../../engines/registry.ts';
import type { Outcome } from '../../../engines/webhooks/port.ts';
import { step, type TenantInput } from '../../../platform/kernel/step.ts';
import { Circuit, reserveTurns, takePlace } from '../../../platform/outbox/delivery-limits.ts';
import { EventLog } from '../../../platform/outbox/event-log.ts';
import type { Event } from '../../../platform/outbox/events.ts';
import { type DeliveryStatus, type StoredWebhook, Webhooks } from '../../../platform/outbox/webhooks.ts';
import { adminTable, coreTable } from '../../../platform/runtime/dynamodb.ts';
import { engineFor } from '../../../platform/runtime/engines.ts';
import { environment } from '../../../platform/runtime/environment.ts';
import { mayGoTo } from '../../../platform/runtime/reachable-addresses.ts';
import { defineStep } from '../../../platform/steps/define-step.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import { openedSecrets } from '../actions/webhook-secrets.ts';
import { DELIVERY_S, messageOf, waitAfter } from '../rules/standard-webhooks.ts';

/**
 * The maximum number of requests of all tenants at once: a quarter of the number of jobs. The rest of the concurrency is
 * for jobs and for requests of the API. See lib/jobs/provider-pools.ts.
 */
const PLACES = Math.max(1, Math.floor((environment.capacity?.jobs ?? 64) / 4));
/** The shortest time for which a request is postponed, ms. */
const POSTPONED_MS = 5000;

interface DeliverInput extends TenantInput {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly round: number;
  readonly attempt: number;
  /** When the execution started. Executions of earlier versions do not pass it. */
  readonly started_at?: string;
}

interface Settled {
  readonly status: DeliveryStatus;
  /** Seconds until the next attempt; 0 if no attempt follows. */
  readonly retry_after_s: number;
  /** The request was not sent, because the receiver does not answer or too many requests are under way. */
  readonly is_postponed?: true;
}

export const settings = defineStep<DeliverInput>({
  name: 'DeliverEvent',
  description: 'Sends a signed event to a webhook',
  memory: 256,
  timeout: 30,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    engines: { secrets: ['unwrap'], webhooks: ['post'] },
  },
  event: {
    tenant: 'demo',
    webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
    event_id: '019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59',
    round: 0,
    attempt: 0,
    started_at: '2026-11-21T09:32:10.207Z',
  },
});

export const handler = step<DeliverInput, Settled>(settings, async (input, { tenant, now }) => {
  const table = coreTable(tenant);
  const webhooks = new Webhooks(table, tenant);
  const delivery = await webhooks.find(input.webhook_id, input.event_id);
  const isOurs = delivery?.status === 'pending' && delivery.round === input.round;
  if (!isOurs) return settled(delivery?.status ?? 'canceled');

  const webhook = await webhooks.get(input.webhook_id).catch(noneFound);
  const event = await new EventLog(table, tenant).find(input.event_id, now());
  if (event === null || !webhook?.enabled) {
    await webhooks.record(delivery, 'canceled', null, null);
    return settled('canceled');
  }

  const circuit = new Circuit(table, tenant, webhook.url);
  const closedUntil = await circuit.closedUntil(now());
  const release = closedUntil === null ? await takePlace(adminTable(), tenant, PLACES, now()) : null;
  if (release === null) {
    const turns = await reserveTurns(table, tenant, { count: 1, isRequested: false }, now());
    const earliest = (closedUntil ?? now()).getTime() + POSTPONED_MS * (1 + Math.random());
    const next = new Date(Math.max(earliest, ...turns.map(Number)));
    const isOver = age(input, now()) > DELIVERY_S;
    await webhooks.record(delivery, isOver ? 'failed' : 'pending', null, isOver ? null : next.toISOString());
    if (isOver) return settled('failed');
    const retry_after_s = Math.ceil((next.getTime() - now().getTime()) / 1000);
    return { status: 'pending', retry_after_s, is_postponed: true };
  }

  const sent = now();
  const outcome = await request(event, { tenant, webhook, sent, timeout_ms: circuit.patienceMs }).finally(
    release,
  );
  await circuit.record(outcome.status_code !== null, now());
  const attempt = {
    at: sent.toISOString(),
    duration_ms: now().getTime() - sent.getTime(),
    status_code: outcome.status_code,
    error: outcome.error,
  };
  if (isSuccess(outcome)) {
    await webhooks.record(delivery, 'delivered', attempt, null);
    return settled('delivered');
  }
  const wait = isGone(outcome)
    ? null
    : waitAfter(input.attempt, outcome.retry_after_s, Math.random(), age(input, sent));
  if (wait !== null) {
    const next = new Date(now().getTime() + wait * 1000);
    await webhooks.record(delivery, 'pending', attempt, next.toISOString());
    return { status: 'pending', retry_after_s: wait };
  }
  await webhooks.record(delivery, 'failed', attempt, null);
  await disableWhereHopeless(outcome, webhook, webhooks, now());
  return settled('failed');
});

interface Sending {
  readonly tenant: TenantId;
  readonly webhook: StoredWebhook;
  readonly sent: Date;
  readonly timeout_ms: number;
}

async function request(event: Event, { tenant, webhook, sent, timeout_ms }: Sending): Promise<Outcome> {
  const secrets = await openedSecrets(tenant, webhook, sent);
  const message = messageOf(
    event,
    secrets.map(({ secret }) => secret),
    sent,
  );
  return engineFor('webhooks', engines, {}).post({ url: webhook.url, ...message, timeout_ms }, mayGoTo);
}

/** Seconds since the execution started. */
const age = ({ started_at }: DeliverInput, now: Date): number =>
  started_at === undefined ? 0 : (now.getTime() - Date.parse(started_at)) / 1000;

const settled = (status: DeliveryStatus): Settled => ({ status, retry_after_s: 0 });

const isSuccess = ({ status_code }: Outcome) =>
  status_code !== null && status_code >= 200 && status_code < 300;

/** RFC 9110 §15.5.11: the receiver is gone permanently. */
const isGone = ({ status_code }: Outcome) => status_code === 410;

/** Disables a webhook whose receiver is gone or failed in all attempts. */
async function disableWhereHopeless(outcome: Outcome, { id }: StoredWebhook, webhooks: Webhooks, now: Date) {
  if (!isGone(outcome) && !(await webhooks.isFailing(id))) return;
  const disabled_reason = isGone(outcome) ? 'gone' : 'failing';
  await webhooks.change(id, now, () => ({ enabled: false, disabled_reason })).catch(noneFound);
}
