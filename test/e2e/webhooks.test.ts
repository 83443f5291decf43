import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';
import { type Receiver, signatureOf, startReceiver } from '../support/receiver.ts';
import { ended, finish, upload } from './support.ts';

let cloud: LocalCloud;
let receiver: Receiver;

beforeAll(async () => {
  cloud = await localCloud();
  receiver = await startReceiver();
});
afterAll(async () => {
  await cloud.remove();
  await receiver.close();
});

const typesIn = ({ received }: Receiver) => new Set(received.map(({ body }) => JSON.parse(body).type));

it('a webhook hears of a video from its creation to its deletion, signed', async () => {
  const { json: webhook } = await cloud.call('POST', '/v1/webhooks', { url: receiver.url });
  const { json: signing } = await cloud.call('GET', `/v1/webhooks/${webhook.webhook_id}/secret`);
  const file = await readFile('content/demo/kinora-demo.mp4');
  const { assetId, etags } = await upload(cloud, file);
  const job = await finish(cloud, assetId, etags);
  expect(await ended(cloud, assetId, job)).toMatchObject({ status: 'succeeded' });
  await receiver.until(5);
  await cloud.call('DELETE', `/v1/assets/${assetId}`);
  await receiver.until(6);
  expect(typesIn(receiver)).toEqual(
    new Set([
      'asset.created',
      'asset.processing',
      'job.created',
      'asset.ready',
      'job.succeeded',
      'asset.deleted',
    ]),
  );
  for (const request of receiver.received) {
    const event = new Webhook(signing.secret).verify(request.body, signatureOf(request)) as { type: string };
    expect(event).toMatchObject({ event_id: request.headers['webhook-id'] });
  }
}, 120_000);

it('an event that was refused arrives after the next start, though all was killed in between', async () => {
  receiver.answer({ status: 503 });
  const before = receiver.received.length;
  const { json: asset } = await cloud.call('POST', '/v1/assets', { filename: 'late.mp4' });
  await receiver.until(before + 1);
  await cloud.killAll();
  receiver.answer({ status: 204 });
  await cloud.start();
  await receiver.until(before + 2);
  const [refused, arrived] = receiver.received.slice(before);
  expect(JSON.parse(arrived!.body)).toEqual(JSON.parse(refused!.body));
  expect(JSON.parse(arrived!.body).data.asset.asset_id).toBe(asset.asset_id);
}, 120_000);
