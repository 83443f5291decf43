import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/test-api.ts';

const url = 'https://example.com/hook';
const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

const api = await startTestApi();
const acme = await api.tenant('acme');

async function hook(body: object = {}): Promise<string> {
  return (await acme.call('POST', '/v1/webhooks', { url, ...body })).json.webhook_id;
}
const deliveries = () => api.machines.calls.filter((call) => call.includes('DELIVER_EVENT'));

describe('a webhook', () => {
  it('receives all events, or the chosen types, after its creation', async () => {
    const { status, json, headers } = await acme.call('POST', '/v1/webhooks', { url });
    expect([status, headers.Location]).toEqual([201, `/v1/webhooks/${json.webhook_id}`]);
    expect(json).toMatchObject({
      url,
      description: null,
      event_types: null,
      enabled: true,
      disabled_reason: null,
    });
  });

  it('can choose only existing types', async () => {
    const chosen = await acme.call('POST', '/v1/webhooks', { url, event_types: ['asset.ready'] });
    expect(chosen.json.event_types).toEqual(['asset.ready']);
    for (const event_types of [['asset.eaten'], ['webhook.test'], []]) {
      const { json } = await acme.call('POST', '/v1/webhooks', { url, event_types });
      expect(json).toMatchObject({ code: 'validation_failed' });
      expect(json.errors[0].pointer).toMatch(/^\/event_types/);
    }
  });

  it('accepts only public web addresses, also in a change', async () => {
    const path = `/v1/webhooks/${await hook()}`;
    for (const wrong of ['ftp://example.com/hook', 'javascript:alert(1)', 'file:///etc/passwd']) {
      const { status, json } = await acme.call('PATCH', path, { url: wrong });
      expect([status, json.code, json.errors[0].pointer]).toEqual([422, 'validation_failed', '/url']);
    }
  });

  it('has a secret that is stored encrypted, and shown only on request', async () => {
    const id = await hook();
    const { json } = await acme.call('GET', `/v1/webhooks/${id}/secret`);
    expect(json).toEqual({ secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), previous: [] });
    const stored = await api.environment.client.send(
      new QueryCommand({
        TableName: 'Core',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'T#acme#CFG#webhooks' } },
      }),
    );
    const key = Buffer.from(json.secret.slice(6), 'base64');
    const bytes = JSON.stringify(stored.Items, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(bytes).not.toContain(json.secret.slice(6));
    expect(bytes).not.toContain(JSON.stringify(key.toString('latin1')).slice(1, -1));
    for (const path of [`/v1/webhooks/${id}`, '/v1/webhooks']) {
      expect((await acme.call('GET', path)).text).not.toContain('whsec_');
    }
  });

  it('keeps the previous secret valid for a day after a change, even if the change is repeated', async () => {
    const id = await hook();
    const secrets = async () => (await acme.call('GET', `/v1/webhooks/${id}/secret`)).json;
    const { secret: first } = await secrets();
    expect((await acme.call('POST', `/v1/webhooks/${id}/rotate_secret`)).status).toBe(204);
    await acme.call('POST', `/v1/webhooks/${id}/rotate_secret`);
    const { secret, previous } = await secrets();
    expect(new Set([secret, first]).size).toBe(2);
    expect(previous).toHaveLength(2);
    expect(previous[1]).toMatchObject({ secret: first });
    const day = Date.parse(previous[0].expires_at) - Date.now();
    expect(day).toBeGreaterThan(23.9 * 3_600_000);
    expect(day).toBeLessThanOrEqual(24 * 3_600_000);
  });

  it('is one of at most twenty, even if many are created at the same time', async () => {
    const busy = await api.tenant('busy');
    const made = await Promise.all(
      Array.from({ length: 24 }, () => busy.call('POST', '/v1/webhooks', { url })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    expect((await busy.call('GET', '/v1/webhooks')).json.total).toBe(20);
    const { status, json } = await busy.call('POST', '/v1/webhooks', { url });
    expect([status, json.code]).toEqual([403, 'quota_exceeded']);
    await busy.call('DELETE', made.find(({ status }) => status === 201)!.headers.Location!);
    expect((await busy.call('POST', '/v1/webhooks', { url })).status).toBe(201);
  });
});

describe('a test event', () => {
  it('is sent only to the tested webhook, even if it chose other types', async () => {
    const id = await hook({ event_types: ['asset.failed'] });
    await hook();
    const before = deliveries().length;
    const { status, json, headers } = await acme.call('POST', `/v1/webhooks/${id}/test`);
    expect(status).toBe(202);
    expect(json).toMatchObject({
      webhook_id: id,
      event_type: 'webhook.test',
      status: 'pending',
      attempts: [],
    });
    const event = await acme.call('GET', headers.Location!);
    expect(event.json).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });
    expect(deliveries().slice(before)).toEqual([expect.stringContaining(`${json.event_id}-${id}`)]);
  });
});

describe('an event', () => {
  it('is sent once to each subscribed webhook, even if the request is repeated', async () => {
    const own = await api.tenant('sender');
    const wanting = (await own.call('POST', '/v1/webhooks', { url })).json.webhook_id;
    await own.call('POST', '/v1/webhooks', { url, event_types: ['asset.ready'] });
    await own.call('POST', '/v1/webhooks', { url, enabled: false });
    const before = deliveries().length;
    const key = { 'idempotency-key': 'once' };
    for (let time = 0; time < 2; time += 1) await own.call('POST', '/v1/assets', { filename: 'a.mp4' }, key);
    const started = deliveries().slice(before);
    expect(started).toEqual([expect.stringContaining(wanting)]);
    expect(started[0]).not.toContain('a.mp4');
  });

  it('is delivered once if many are published at the same time', async () => {
    const own = await api.tenant('many');
    await own.call('POST', '/v1/webhooks', { url });
    await own.readyAsset();
    const before = deliveries().length;
    const files = Array.from({ length: 20 }, (_, at) => ({ filename: `${at}.mp4` }));
    await Promise.all(files.map((file) => own.call('POST', '/v1/assets', file)));
    expect(new Set(deliveries().slice(before)).size).toBe(20);
  });

  it('is sent again on request, by a new execution, unless a delivery is still running', async () => {
    const id = await hook();
    const { json: delivery } = await acme.call('POST', `/v1/webhooks/${id}/test`);
    const path = `/v1/webhooks/${id}/deliveries`;
    const ask = () => acme.call('POST', path, { event_ids: [delivery.event_id] });
    const under_way = await ask();
    expect([under_way.status, under_way.json.data[0].status]).toEqual([202, 'pending']);
    expect(new Set(deliveries().filter((call) => call.includes(delivery.event_id))).size).toBe(1);
    await acme.table.update({
      key: { pk: `T#acme#WH#${id}`, sk: delivery.event_id },
      expression: 'SET #status = :failed',
      names: { '#status': 'status' },
      values: { failed: 'failed' },
    });
    expect((await ask()).json.data[0].status).toBe('pending');
    expect(deliveries().at(-1)).toContain(`${delivery.event_id}-${id}-1`);
  });

  it('cannot be sent again if the log does not contain it', async () => {
    const id = await hook();
    const { json: known } = await acme.call('POST', `/v1/webhooks/${id}/test`);
    const body = { event_ids: [known.event_id, missing] };
    const { status, json } = await acme.call('POST', `/v1/webhooks/${id}/deliveries`, body);
    expect([status, json.code, json.errors[0].pointer]).toEqual([422, 'unknown_reference', '/event_ids/1']);
  });
});
