import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, signatureOf, startReceiver } from '../../../support/receiver.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

let receiver: Receiver;
let webhook: string;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeEach(async () => {
  receiver = await startReceiver();
  webhook = (await acme.call('POST', '/v1/webhooks', { url: receiver.url })).json.webhook_id;
});
afterEach(async () => {
  await acme.call('DELETE', `/v1/webhooks/${webhook}`);
  await receiver.close();
});

async function delivery() {
  const { json } = await acme.call('POST', `/v1/webhooks/${webhook}/test`);
  return { tenant: 'acme', webhook_id: webhook, event_id: json.event_id as string, round: 0, attempt: 0 };
}

const attempt = (input: object, at = 0) => runStep('deliver-event', { ...input, attempt: at });
const shown = async () => (await acme.call('GET', `/v1/webhooks/${webhook}/deliveries`)).json.data[0];

describe('a delivery attempt', () => {
  it('sends the event, signed with the secret that the API shows', async () => {
    const input = await delivery();
    expect(await attempt(input)).toEqual({ status: 'delivered', retry_after_s: 0 });
    const { secret } = (await acme.call('GET', `/v1/webhooks/${webhook}/secret`)).json;
    const [request] = receiver.received;
    expect(new Webhook(secret).verify(request!.body, signatureOf(request!))).toEqual(
      (await acme.call('GET', `/v1/events/${input.event_id}`)).json,
    );
    expect(request!.headers['webhook-id']).toBe(input.event_id);
    expect(await shown()).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 204, error: null }],
      next_attempt_at: null,
    });
  });

  it('is signed with the old secret too, for as long as it is valid', async () => {
    const { secret: old } = (await acme.call('GET', `/v1/webhooks/${webhook}/secret`)).json;
    await acme.call('POST', `/v1/webhooks/${webhook}/rotate_secret`);
    await attempt(await delivery());
    const { secret } = (await acme.call('GET', `/v1/webhooks/${webhook}/secret`)).json;
    expect(secret).not.toBe(old);
    const [request] = receiver.received;
    for (const one of [old, secret]) new Webhook(one).verify(request!.body, signatureOf(request!));
  });

  it.each([301, 400, 404, 500])('is repeated after the status %i', async (status) => {
    receiver.answer({ status });
    expect(await attempt(await delivery())).toMatchObject({
      status: 'pending',
      retry_after_s: expect.any(Number),
    });
    const { attempts, next_attempt_at } = await shown();
    expect(attempts).toMatchObject([{ status_code: status, error: null }]);
    expect(Date.parse(next_attempt_at)).toBeGreaterThan(Date.now());
  });

  it('waits for as long as the receiver asks', async () => {
    receiver.answer({ status: 429, headers: { 'Retry-After': '900' } });
    const { retry_after_s } = await attempt(await delivery());
    expect(retry_after_s).toBeGreaterThanOrEqual(900);
  });

  it('is the last after ten, and disables a webhook that received no event', async () => {
    receiver.answer({ status: 500 });
    const input = await delivery();
    for (let at = 0; at < 9; at += 1) expect((await attempt(input, at)).status).toBe('pending');
    expect(await attempt(input, 9)).toEqual({ status: 'failed', retry_after_s: 0 });
    expect((await shown()).attempts).toHaveLength(10);
    const { json } = await acme.call('GET', `/v1/webhooks/${webhook}`);
    expect(json).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const enabled = await acme.call('PATCH', `/v1/webhooks/${webhook}`, { enabled: true });
    expect(enabled.json).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('keeps a webhook enabled that received other events', async () => {
    await attempt(await delivery());
    receiver.answer({ status: 500 });
    expect((await attempt(await delivery(), 9)).status).toBe('failed');
    expect((await acme.call('GET', `/v1/webhooks/${webhook}`)).json.enabled).toBe(true);
  });

  it('is the last if the receiver answers 410 Gone', async () => {
    receiver.answer({ status: 410 });
    expect((await attempt(await delivery())).status).toBe('failed');
    const { json } = await acme.call('GET', `/v1/webhooks/${webhook}`);
    expect(json).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  });

  it('is not made again after the event has arrived', async () => {
    const input = await delivery();
    await attempt(input);
    expect(await attempt(input, 1)).toEqual({ status: 'delivered', retry_after_s: 0 });
    expect(receiver.received).toHaveLength(1);
  });

  it('is not made if the webhook was disabled or deleted meanwhile', async () => {
    const first = await delivery();
    const second = await delivery();
    await acme.call('PATCH', `/v1/webhooks/${webhook}`, { enabled: false });
    expect((await attempt(first)).status).toBe('canceled');
    await acme.call('DELETE', `/v1/webhooks/${webhook}`);
    expect((await attempt(second)).status).toBe('canceled');
    expect(receiver.received).toEqual([]);
  });

  it('is not made for a series of attempts that was started again', async () => {
    const input = await delivery();
    await attempt(input);
    const again = await acme.call('POST', `/v1/webhooks/${webhook}/deliveries`, {
      event_ids: [input.event_id],
    });
    expect(again.json.data).toMatchObject([{ status: 'pending' }]);
    await attempt(input, 1);
    expect(receiver.received).toHaveLength(1);
    expect((await attempt({ ...input, round: 1 })).status).toBe('delivered');
    expect(receiver.received).toHaveLength(2);
  });
});
