import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKET, clientOf, errorCode, sendRaw, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    buckets: [
      {
        name: BUCKET,
        cors: [
          {
            allowedOrigins: ['https://*.kinora.test', 'http://localhost:8080'],
            allowedMethods: ['PUT', 'GET'],
            allowedHeaders: ['content-type', 'X-Amz-*'],
            exposedHeaders: ['ETag'],
            maxAge: 600,
          },
          { allowedOrigins: ['*'], allowedMethods: ['HEAD'] },
        ],
      },
      { name: 'closed-bucket' },
    ],
  });
});
afterAll(() => server.close());

const ORIGIN = 'https://app.kinora.test';
const preflight = (headers: Record<string, string>, bucket = BUCKET) =>
  sendRaw(server.url, { method: 'OPTIONS', path: `/${bucket}/key`, headers });
const asking = (origin: string, method: string, names?: string) => ({
  origin,
  'access-control-request-method': method,
  ...(names !== undefined && { 'access-control-request-headers': names }),
});

describe('a preflight request', () => {
  it('is answered with what the rule allows', async () => {
    const answer = await preflight(asking(ORIGIN, 'PUT', 'Content-Type, x-amz-meta-a'));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'PUT, GET',
      'access-control-allow-headers': 'content-type, x-amz-meta-a',
      'access-control-expose-headers': 'ETag',
      'access-control-max-age': '600',
      vary: expect.stringContaining('Origin'),
    });
  });

  it('of any origin is told so by a rule for all', async () => {
    const answer = await preflight(asking('https://anyone.test', 'HEAD'));
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each([
    ['another origin', asking('https://evil.test', 'PUT'), 403, 'AccessForbidden'],
    ['an origin that only ends alike', asking('https://evilkinora.test', 'PUT'), 403, 'AccessForbidden'],
    ['another method', asking(ORIGIN, 'DELETE'), 403, 'AccessForbidden'],
    ['another header', asking(ORIGIN, 'PUT', 'authorization'), 403, 'AccessForbidden'],
    ['no origin', { 'access-control-request-method': 'PUT' }, 400, 'BadRequest'],
    ['no method', { origin: ORIGIN }, 400, 'BadRequest'],
  ])('is refused with %s', async (_, headers, status, code) => {
    const answer = await preflight(headers);
    expect([answer.status, errorCode(answer)]).toEqual([status, code]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is refused by a bucket without rules', async () => {
    expect(await preflight(asking(ORIGIN, 'PUT'), 'closed-bucket')).toMatchObject({ status: 403 });
  });
});

describe('an answer to another origin', () => {
  it('shows the ETag that a page needs to finish its upload', async () => {
    const client = clientOf(server.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(client, new PutObjectCommand({ Bucket: BUCKET, Key: 'from a page' }));
    const answer = await fetch(url, { method: 'PUT', body: 'x', headers: { origin: ORIGIN } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
  });

  it('lets the page read an error too', async () => {
    const answer = await sendRaw(server.url, { path: `/${BUCKET}/x`, headers: { origin: ORIGIN } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, ORIGIN]);
  });

  it('tells an origin without a rule nothing', async () => {
    const answer = await sendRaw(server.url, {
      path: `/${BUCKET}/x`,
      headers: { origin: 'https://evil.test' },
    });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
