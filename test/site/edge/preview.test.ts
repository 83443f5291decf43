/** A preview environment: closed to everyone without the access token, and to search engines in any case. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Edge, startEdge } from '../../../local/edge/index.ts';
import { writeEdge } from '../../../toolchain/edge/write.ts';
import { browser, expectHtml, expectProblem } from './expectations.ts';
import { accessToken, makeFixture } from './fixture.ts';
import { type Ask, rawClient } from './raw-client.ts';

const baseUrl = 'https://preview.kinora.example';
let edge: Edge;
let ask: Ask;
beforeAll(async () => {
  const hosts = { baseUrl, host: 'preview.kinora.example', alternateHosts: [], isPublic: false };
  const { folder } = await makeFixture(hosts);
  edge = await startEdge({ siteDir: folder, port: 0 });
  ask = rawClient(edge.url, 'preview.kinora.example');
});
afterAll(() => edge?.close());

test.each(['/', '/contact', '/contact/', '/nope', '/api/v1', '/assets/style-abc123.css', '/robots.txt'])(
  'the path %s of a preview is closed without the token',
  async (target) => {
    const response = await ask({ target, headers: [['Accept', browser]] });
    expectProblem(response, { status: 403, code: 'preview_restricted', instance: target, baseUrl });
    expect(response.headers['x-robots-tag']).toBe('noindex');
  },
);

test('the cookie opens the preview', async () => {
  const cookie = `theme=dark; kinora-preview=${accessToken}; a=b=c`;
  const response = await ask({ target: '/contact', headers: [['Cookie', cookie]] });
  expectHtml(response);
  expect(response.headers['x-robots-tag']).toBe('noindex');
});

test('the header opens the preview, even on the default host of the CDN', async () => {
  for (const host of ['preview.kinora.example', 'd1.cloudfront.net']) {
    expectHtml(await ask({ target: '/contact', host, headers: [['X-Kinora-Preview', accessToken]] }));
  }
});

test.each(['', 'wrong', `${accessToken}x`, accessToken.toUpperCase()])(
  'the wrong token %j does not open the preview',
  async (token) => {
    const response = await ask({ target: '/contact', headers: [['X-Kinora-Preview', token]] });
    expect(response.status).toBe(403);
  },
);

test('the catalog of a preview is open', async () => {
  expect((await ask({ target: '/.well-known/api-catalog' })).status).toBe(200);
  expect((await ask({ target: '//.well-known/api-catalog' })).status).toBe(301);
});

test('nothing opens a preview that was built without a token', async () => {
  const { folder, manifest } = await makeFixture({
    baseUrl,
    host: 'preview.kinora.example',
    isPublic: false,
  });
  await writeEdge({ folder, manifest });
  const closed = await startEdge({ siteDir: folder, port: 0 });
  const askClosed = rawClient(closed.url, 'preview.kinora.example');
  for (const token of ['', accessToken]) {
    const response = await askClosed({ target: '/contact', headers: [['X-Kinora-Preview', token]] });
    expect(response.status).toBe(403);
  }
  await closed.close();
});
