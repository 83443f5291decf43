import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { type LambdaEnvironment, lambdaEnvironment } from '../../support/environment.ts';
import { httpEvent } from '../../support/http-event.ts';

let environment: LambdaEnvironment;
let handler: (event: HttpEvent, context: object) => Promise<HttpReply>;
let authorization: string;

beforeAll(async () => {
  environment = await lambdaEnvironment({ ENGINES: 'aws' });
  handler = (await import('../../../lambdas/webhooks/api/webhooks.ts')).handler as never;
  authorization = `Bearer ${(await environment.newKey('acme')).text}`;
});
afterAll(() => environment.close());

it.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://169.254.169.254/latest',
  'https://localhost/',
])('a deployed environment refuses to send events to %s', async (url) => {
  const reply = await handler(
    httpEvent({ route: 'POST /v1/webhooks', headers: { authorization }, body: { url } }),
    {},
  );
  expect(reply.statusCode).toBe(422);
  expect(JSON.parse(reply.body)).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/url' }] });
});
