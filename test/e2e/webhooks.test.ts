import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect } from 'vitest';
import { type Event, replayEvents, verifyWebhook } from '../../client/index.ts';
import { SETTLING_MS } from '../../platform/outbox/events.ts';
import { makeMedia } from '../fixtures/media.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { type Receiver, signatureOf, startReceiver } from '../support/receiver.ts';
import { ended, finish, it, upload } from './support.ts';

const told = [
  'asset.created',
  'asset.processing',
  'job.created',
  'asset.ready',
  'job.succeeded',
  'asset.deleted',
] as const;

let cloud: LocalCloud;
let receiver: Receiver;

it.beforeAll(async ({ cloud: running }) => {
  cloud = running;
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
});

it('sends signed webhooks from the creation of a video to its deletion, and the log has the same events', async () => {
  const { kinora } = cloud;
  const { webhook_id } = await kinora.createWebhook({ body: { url: receiver.url } });
  const { secret } = await kinora.getWebhookSecret({ webhook_id });
  const video = await makeMedia('short.mp4', ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1']);
  const { assetId, etags } = await upload(cloud, await readFile(video));
  const job = await finish(cloud, assetId, etags);
  expect(await ended(cloud, assetId, job)).toMatchObject({ status: 'succeeded' });
  await receiver.until(told.length - 1);
  await kinora.deleteAsset({ asset_id: assetId });
  await receiver.until(told.length);

  const heard = await Promise.all(
    receiver.received.map(async (request) => {
      const { body, headers } = request;
      const event = await verifyWebhook({ body, header: (name) => String(headers[name]) }, secret);
      expect(new Webhook(secret).verify(body, signatureOf(request))).toEqual(event);
      return event;
    }),
  );
  expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(told));
  await sleep(SETTLING_MS);
  const log: Event[] = [];
  for await (const event of replayEvents(kinora)) log.push(event);
  expect(log).toEqual(heard.sort((one, other) => (one.event_id < other.event_id ? -1 : 1)));
});

it('delivers a rejected event after the next start, even if all processes were killed', async () => {
  receiver.answer({ status: 503 });
  const before = receiver.received.length;
  const { asset_id } = await cloud.kinora.createAsset({ body: { filename: 'late.mp4' } });
  await receiver.until(before + 1);
  await cloud.killAll();
  receiver.answer({ status: 204 });
  await cloud.start();
  await receiver.until(before + 2);
  const [refused, arrived] = receiver.received.slice(before).map(({ body }) => JSON.parse(body) as Event);
  expect(arrived).toEqual(refused);
  expect(arrived!.data.asset!.asset_id).toBe(asset_id);
});
