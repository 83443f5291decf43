import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { patienceFor, pauseAfter, placesOf, reserveTurns } from '../../../platform/outbox/delivery-limits.ts';
import type { Tenant } from '../../support/api.ts';
import { listening } from '../../support/listening.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();

/** A receiver that answers after a second. Counts how many requests it has at once, by path. */
const open: Record<string, number> = {};
const most: Record<string, number> = {};
const slow = await listening((request, response) => {
  const path = request.url ?? '';
  open[path] = (open[path] ?? 0) + 1;
  most[path] = Math.max(most[path] ?? 0, open[path]!);
  setTimeout(() => {
    open[path]! -= 1;
    response.writeHead(204).end();
  }, 1000);
});
afterAll(() => slow.close());

let names = 0;
let tenant: Tenant;
beforeEach(async () => {
  names += 1;
  tenant = await api.tenant(`limited-${names}`);
});

/** Requests a test event, and returns a function that runs an attempt to deliver it. */
async function delivery(of: Tenant, url: string, started_at?: string) {
  const { webhook_id } = (await of.call('POST', '/v1/webhooks', { url })).json;
  const { event_id } = (await of.call('POST', `/v1/webhooks/${webhook_id}/test`)).json;
  const input = { tenant: of.id, webhook_id, event_id, round: 0, attempt: 0, started_at };
  return {
    attempt: () => runStep('deliver-event', input),
    shown: async () => (await of.call('GET', `/v1/webhooks/${webhook_id}/deliveries`)).json.data[0],
  };
}

describe('requests to receivers', () => {
  it('are at most four of a tenant at once, and other tenants are not delayed', async () => {
    const twelve = Array.from({ length: 12 }, () => delivery(tenant, `${slow.url}/one`));
    const all = await Promise.all(twelve);
    // A tenant that shares no place with the first.
    const taken = new Set(placesOf(tenant.id, 16));
    const free = Array.from({ length: 1000 }, (_, at) => `free-${at}`);
    const name = free.find((candidate) => placesOf(candidate, 16).every((place) => !taken.has(place)));
    const other = await delivery(await api.tenant(name!), `${slow.url}/other`);
    const [outcomes, own] = await Promise.all([
      Promise.all(all.map(({ attempt }) => attempt())),
      other.attempt(),
    ]);
    expect(most['/one']).toBe(4);
    expect(own.status).toBe('delivered');
    const postponed = outcomes.filter(({ status }) => status === 'pending');
    expect(postponed).toHaveLength(8);
    for (const { is_postponed, retry_after_s } of postponed) {
      expect(is_postponed).toBe(true);
      expect(retry_after_s).toBeGreaterThanOrEqual(5);
    }
    const later = all[outcomes.indexOf(postponed[0])]!;
    expect(await later.shown()).toMatchObject({ status: 'pending', attempts: [] });
    expect((await later.attempt()).status).toBe('delivered');
  });

  it('are not sent while a host gives no answers, and one request tries it again', async () => {
    const { url, close } = await listening(() => {});
    await close();
    const made = await Promise.all(Array.from({ length: 7 }, () => delivery(tenant, url)));
    const postponed: boolean[] = [];
    for (const { attempt } of made) postponed.push('is_postponed' in (await attempt()));
    expect(postponed).toEqual([false, false, false, false, false, true, true]);
    const hosts = { pk: `T#${tenant.id}#DELIVERIES`, sk: `HOST#${new URL(url).host}` };
    await tenant.table.update({ key: hosts, expression: 'SET until_ms = :now', values: { now: Date.now() } });
    const tries = await Promise.all(made.slice(5).map(({ attempt }) => attempt()));
    expect(tries.filter(({ is_postponed }) => is_postponed)).toHaveLength(1);
    // Other hosts, and the same host for other tenants, are not affected.
    const another = await delivery(tenant, `${slow.url}/fine`);
    expect((await another.attempt()).status).toBe('delivered');
    const foreign = await delivery(await api.tenant(`foreign-${names}`), url);
    expect(await foreign.attempt()).not.toHaveProperty('is_postponed');
  });

  it('are given up at the end of the delivery, even if they could never be sent', async () => {
    const key = { pk: `T#${tenant.id}#DELIVERIES`, sk: `HOST#${new URL(slow.url).host}` };
    await tenant.table.put({ ...key, silences: 99, until_ms: Date.now() + 60_000 });
    const old = new Date(Date.now() - 6.1 * 86_400_000).toISOString();
    const { attempt, shown } = await delivery(tenant, slow.url, old);
    expect((await attempt()).status).toBe('failed');
    expect(await shown()).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  it('wait less for a host that gives no answers', () => {
    expect([0, 1, 2, 9].map(patienceFor)).toEqual([15_000, 15_000, 5000, 5000]);
    expect([4, 5, 6, 7, 99].map(pauseAfter)).toEqual([0, 10_000, 20_000, 40_000, 300_000]);
  });
});

describe('deliveries of a tenant', () => {
  const waits = (from: number): number[] =>
    api.machines.calls
      .slice(from)
      .filter((call) => call.includes('DELIVER_EVENT'))
      .map((call) => JSON.parse(JSON.parse(call.slice(call.indexOf(' '))).input).wait_s);

  it('start ten a second, after forty at once, and callers cannot ask for more than wait for half a minute', async () => {
    const { webhook_id } = (await tenant.call('POST', '/v1/webhooks', { url: 'https://example.com/hook' }))
      .json;
    const path = `/v1/webhooks/${webhook_id}`;
    const reserve = (count: number) =>
      reserveTurns(tenant.table, tenant.id, { count, isRequested: false }, new Date());
    const turns = (await Promise.all([reserve(40), reserve(20)])).flat().map(Number).sort();
    expect(turns[39]).toBeLessThanOrEqual(Date.now());
    expect(turns.map((turn, at) => turn - (turns[at - 1] ?? turn - 100))).toEqual(Array(60).fill(100));
    const before = api.machines.calls.length;
    const { json: sent } = await tenant.call('POST', `${path}/test`);
    expect(waits(before)[0]).toBeGreaterThanOrEqual(1);
    await reserve(400);
    const event_ids = [sent.event_id];
    for (const [action, body] of [['test'], ['deliveries', { event_ids }]] as const) {
      const { status, json, headers } = await tenant.call('POST', `${path}/${action}`, body);
      expect([status, json.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
    }
    // An event is never refused. Its delivery waits for its turn.
    const from = api.machines.calls.length;
    expect((await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' })).status).toBe(201);
    expect(waits(from)[0]).toBeGreaterThan(20);
  });
});

it('tenants share few places, and none takes more than a quarter', () => {
  expect(placesOf('acme', 1)).toEqual([0]);
  const all = Array.from({ length: 200 }, (_, at) => placesOf(`tenant-${at}`, 25));
  expect(new Set(all.flat()).size).toBe(25);
  for (const places of all) expect(new Set(places).size).toBe(7);
  expect(new Set(all.map((places) => places.toSorted().join())).size).toBeGreaterThan(190);
});
