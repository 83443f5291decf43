import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { published } from '../../../platform/outbox/event-log.ts';
import { testEvent } from '../../../platform/outbox/events.ts';
import { deliveryKey, eventKey, outboxKey, outboxPartitions } from '../../../platform/table/keys.ts';
import type { Tenant } from '../../support/api.ts';
import { httpEvent } from '../../support/http-event.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();

/** The events in the outbox of all tenants. */
async function waiting(): Promise<string[]> {
  const { adminTable } = await import('../../../platform/runtime/dynamodb.ts');
  const ids: string[] = [];
  for (const partition of outboxPartitions)
    for await (const { sk } of adminTable().upTo(partition, 'g')) ids.push(sk);
  return ids;
}

const deliveries = () => api.machines.calls.filter((call) => /StartExecution.*DELIVER_EVENT/.test(call));

const subscribed = async (tenant: Tenant): Promise<string> =>
  (await tenant.call('POST', '/v1/webhooks', { url: 'https://receiver.test/hook' })).json.webhook_id;

/** A handler that only publishes. The kernel makes it as it makes all handlers. */
async function publisher(fails: boolean) {
  const { resource } = await import('../../../platform/kernel/resource.ts');
  const { publishingTable } = await import('../../../platform/runtime/publishing.ts');
  const route = { id: 'publish', method: 'GET', path: '/v1/publish' };
  const operation = { ...route, scope: 'events:read', statuses: [204], validators: {} };
  const handlers = {
    publish: async ({ tenant, now }: { tenant: never; now: Date }) => {
      await publishingTable(tenant).transact(published(tenant, testEvent(now, uuidv7())));
      if (fails) throw new Error('The work fails after it was written');
      return { status: 204 };
    },
  };
  return resource({ publish: operation } as never, () => ({}), handlers as never);
}

describe('an event that a handler writes', () => {
  it.each([
    ['succeeds', false],
    ['fails', true],
  ])('is delivered without a call of the handler, if the request %s', async (_, fails) => {
    const tenant = await api.tenant(`publisher-${fails}`);
    await subscribed(tenant);
    const before = deliveries().length;
    const headers = { authorization: `Bearer ${tenant.key}` };
    const event = httpEvent({ route: 'GET /v1/publish', path: '/v1/publish', headers });
    const reply = (await (await publisher(fails))(event as never, {} as never)) as { statusCode: number };
    expect(reply.statusCode).toBe(fails ? 500 : 204);
    expect(deliveries().length).toBe(before + 1);
    expect(await waiting()).toEqual([]);
  });

  it('is delivered even if another event, or a delivery to another webhook, cannot be read', async () => {
    const tenant = await api.tenant('poisoned-outbox');
    const [first] = [await subscribed(tenant), await subscribed(tenant)];
    const [unreadable, event] = [testEvent(new Date(), uuidv7()), testEvent(new Date(), uuidv7())];
    const { publishingTable, eventDispatch } = await import('../../../platform/runtime/publishing.ts');
    await publishingTable(tenant.id).transact(published(tenant.id, unreadable, event));
    await tenant.table.put({ ...eventKey(tenant.id, unreadable.event_id), type: 'webhook.test' });
    await tenant.table.put(deliveryKey(tenant.id, first, event.event_id));
    const before = deliveries().length;
    const run = eventDispatch(tenant.id).run([unreadable.event_id, event.event_id], new Date());
    await expect(run).rejects.toThrow('Stored data cannot be read');
    expect(deliveries().slice(before)).toHaveLength(1);
    // The sweep tries both again.
    expect((await waiting()).toSorted()).toEqual([unreadable.event_id, event.event_id].toSorted());
    await publishingTable(tenant.id).transact(
      [unreadable, event].map(({ event_id }) => ({ withdraw: outboxKey(event_id) })),
    );
  });

  it('is refused if no function delivers the events of its table', async () => {
    const tenant = await api.tenant('silent');
    const { coreTable } = await import('../../../platform/runtime/dynamodb.ts');
    const writes = published(tenant.id, testEvent(new Date(), uuidv7()));
    await expect(coreTable(tenant.id).transact(writes)).rejects.toThrow('publishingTable');
    expect(await waiting()).toEqual([]);
  });
});
