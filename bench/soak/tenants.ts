/** The tenants of a soak, each with a key and a webhook. Compares the events of their logs with the received events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Kinora, replayEvents } from '../../client/index.ts';
import { tenantScopes } from '../../contract/kit/scopes.ts';
import { accessTo, type Ready } from '../../local/ready.ts';
import { SETTLING_MS } from '../../platform/outbox/events.ts';
import { ApiKeys } from '../../platform/records/api-keys.ts';
import { asTenantId } from '../../shared/ids.ts';
import type { Receiver } from '../../test/support/receiver.ts';
import type { Calls, Tenant } from './calls.ts';

const names = ['soak-one', 'soak-two', 'soak-three'];
const DELIVERY_MS = 90_000;

export function tenantsOf(ready: Ready, hook: string, calls: Calls): Promise<Tenant[]> {
  const client = new DynamoDBClient({ ...accessTo(ready), endpoint: ready.dynamodb_url });
  const keys = new ApiKeys(client, ready.auth_table);
  return Promise.all(
    names.map(async (name) => {
      const { text } = await keys.create({ tenant: asTenantId(name), scopes: tenantScopes, mode: 'test' });
      const kinora = new Kinora({ url: ready.api_url, apiKey: text, ...calls.options });
      await kinora.createWebhook({ body: { url: hook } });
      const { data } = await kinora.listLanguages({ items: 100 });
      const languages = new Map(data.map(({ code, language_id }) => [code, language_id]));
      return { name, kinora, calls, languages, assets: [] };
    }),
  );
}

/** Waits for late deliveries. Returns the number of logged events that did not reach the webhooks. */
export async function undelivered(tenants: readonly Tenant[], receiver: Receiver): Promise<number> {
  await sleep(SETTLING_MS);
  const told: string[] = [];
  for (const { kinora } of tenants)
    for await (const { event_id } of replayEvents(kinora)) told.push(event_id);
  for (const end = Date.now() + DELIVERY_MS; ; await sleep(1000)) {
    const heard = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    const missing = told.filter((event) => !heard.has(event)).length;
    if (missing === 0 || Date.now() > end) return missing;
  }
}
