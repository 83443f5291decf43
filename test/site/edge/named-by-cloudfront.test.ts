/** A site without a name of its own: it answers on the one that CloudFront gives it, which no build knows. */
import { expect, test } from 'vitest';
import { apiNamedByGateway, siteNamedByCloudFront } from '../../../lib/site/placeholders.ts';
import { browser, expectHtml, expectPageLinks, expectProblem } from './expectations.ts';
import { makeFixture } from './fixture.ts';
import { served } from './raw-client.ts';

const host = 'd111111abcdef8.cloudfront.net';
const baseUrl = `https://${host}`;
const { folder } = await makeFixture({
  ...{ baseUrl: siteNamedByCloudFront, host: new URL(siteNamedByCloudFront).host },
  ...{ apiUrl: apiNamedByGateway, alternateHosts: [] },
});
const ask = await served({ siteDir: folder, host });

test.each(['/', '/contact'])(
  'the path %s is public without a domain of its own, with links to the name that CloudFront assigned',
  async (target) => {
    const response = await ask({ target, headers: [['Accept', browser]] });
    expectHtml(response);
    expectPageLinks(response, baseUrl, target, false);
  },
);

test('redirects stay on the name that CloudFront assigned', async () => {
  const response = await ask({ target: '/contact/' });
  expect(response.status).toBe(301);
  expect(response.headers.location).toBe(`${baseUrl}/contact`);
});

test('problems link to the name that CloudFront assigned', async () => {
  const response = await ask({ target: '/api/v1' });
  expectProblem(response, { status: 404, code: 'no_api_on_this_host', instance: '/api/v1', baseUrl });
});
