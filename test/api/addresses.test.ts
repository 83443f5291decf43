/** A deployed environment sends no request to an address that only it could reach. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpEvent, HttpReply } from '../../platform/kernel/http.ts';
import { type LambdaEnvironment, lambdaEnvironment } from '../support/environment.ts';
import { httpEvent } from '../support/http-event.ts';

type Handler = (event: HttpEvent, context: object) => Promise<HttpReply>;

let environment: LambdaEnvironment;
let handlers: Readonly<Record<string, Handler>>;
let authorization: string;

beforeAll(async () => {
  environment = await lambdaEnvironment({ ENGINES: 'aws', REACHABLE_ADDRESSES: '' });
  handlers = {
    '/v1/webhooks': (await import('../../lambdas/webhooks/api/webhooks.ts')).handler as never,
    '/v1/external_storages': (await import('../../lambdas/exports/api/external-storages.ts'))
      .handler as never,
    '/v1/channels': (await import('../../lambdas/channels/api/channels.ts')).handler as never,
  };
  authorization = `Bearer ${(await environment.newKey('acme')).text}`;
});
afterAll(() => environment.close());

const webhook = (url: string) => ({ url });
const storage = (blob_url: string) => ({ name: 'S', type: 'azure', destination: { blob_url } });
const google = (token_uri: string) => ({
  name: 'S',
  type: 'gcp_storage',
  destination: { bucket_name: 'archive' },
  authentication_data: { credentials: { client_email: 'a@b', private_key: 'k', token_uri } },
});
const channel = (url: string) => ({
  name: 'C',
  source: { protocol: /^(http|rtmp|srt)/.exec(url)![0].replace('http', 'hls'), mode: 'pull', url },
});

it.each([
  ['/v1/webhooks', '/url', webhook('http://example.com/')],
  ['/v1/webhooks', '/url', webhook('https://127.0.0.1/')],
  ['/v1/webhooks', '/url', webhook('https://169.254.169.254/latest')],
  ['/v1/webhooks', '/url', webhook('https://localhost/')],
  ['/v1/external_storages', '/destination/blob_url', storage('https://169.254.169.254/latest')],
  ['/v1/external_storages', '/destination/blob_url', storage('https://10.0.0.7/container')],
  [
    '/v1/external_storages',
    '/authentication_data/credentials/token_uri',
    google('https://169.254.169.254/token'),
  ],
  ['/v1/external_storages', '/authentication_data/credentials/token_uri', google('http://example.com/token')],
  ['/v1/channels', '/source/url', channel('http://169.254.169.254/latest')],
  ['/v1/channels', '/source/url', channel('rtmp://0177.0.0.1/app')],
  ['/v1/channels', '/source/url', channel('srt://studio.internal:9000')],
])('POST %s refuses %s as %j', async (path, pointer, body) => {
  const reply = await handlers[path]!(
    httpEvent({ route: `POST ${path}`, headers: { authorization }, body }),
    {},
  );
  expect(reply.statusCode).toBe(422);
  expect(JSON.parse(reply.body)).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
});

it.each([
  ['/v1/external_storages', storage('https://account.blob.core.windows.net/container')],
  ['/v1/channels', channel('http://live.example.com/master.m3u8')],
])('POST %s accepts %j', async (path, body) => {
  const reply = await handlers[path]!(
    httpEvent({ route: `POST ${path}`, headers: { authorization }, body }),
    {},
  );
  expect(reply.statusCode).toBe(201);
});
