/** A preview environment: closed to everyone without the access token, and to search engines in any case. */
import { expect, onTestFinished, test } from 'vitest';
import { writeEdge } from '../../../toolchain/edge/write.ts';
import { browser, expectHtml, expectProblem } from './expectations.ts';
import { accessToken, makeFixture } from './fixture.ts';
import { served } from './raw-client.ts';

const host = 'preview.kinora.example';
const baseUrl = `https://${host}`;
const { folder, manifest } = await makeFixture({ baseUrl, host, alternateHosts: [], isPublic: false });
const ask = await served({ siteDir: folder, host });

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
  const headers = [['X-Kinora-Preview', accessToken]] as const;
  for (const name of [host, 'd1.cloudfront.net']) {
    expectHtml(await ask({ target: '/contact', host: name, headers }));
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
  await writeEdge({ folder, manifest });
  const askClosed = await served({ siteDir: folder, host }, onTestFinished);
  for (const token of ['', accessToken]) {
    const response = await askClosed({ target: '/contact', headers: [['X-Kinora-Preview', token]] });
    expect(response.status).toBe(403);
  }
});
