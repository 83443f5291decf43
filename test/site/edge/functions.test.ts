/** The two functions as they deploy: their size, their syntax, and what they do in njs and in V8. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../../edge/digest.ts';
import type { EdgeConstants } from '../../../edge/manifest.ts';
import { loadFunction } from '../../../local/edge/sandbox.ts';
import { bundleEdgeFunctions, largestFunction } from '../../../toolchain/edge/bundle.ts';
import { edgeConstantsOf, list, prefixes } from '../../../toolchain/edge/constants.ts';
import { distributionSettings } from '../../../toolchain/edge/write.ts';
import { requestEvent } from './arbitraries.ts';
import { makeFixture, sha256 } from './fixture.ts';
import { hasNjs, runInNjs } from './njs.ts';

const fixture = await makeFixture();
const constants = edgeConstantsOf(fixture.manifest);
const functions = await bundleEdgeFunctions(constants);

const preview = (): EdgeConstants => ({ ...constants, isPublic: false, accessTokenSha256: sha256('token') });

describe('the bundles of the edge functions', () => {
  test('stay below the limit of CloudFront with a site of 40 pages in three languages and their pictures', async () => {
    const slugs = Array.from({ length: 40 }, (_, index) => `/use-cases/a-page-with-a-long-name-${index}`);
    const names = Array.from(
      { length: 130 },
      (_, index) => `/assets/card-${index}.${sha256(`${index}`)}.png`,
    );
    const assets = list(names.map(digestOf));
    const { viewerRequest, viewerResponse } = await bundleEdgeFunctions({
      ...{ ...preview(), slugs: list(['/', ...slugs]), languages: prefixes(['es', 'de']), assets },
    });
    expect(Buffer.byteLength(viewerRequest)).toBeLessThanOrEqual(largestFunction);
    expect(Buffer.byteLength(viewerResponse)).toBeLessThanOrEqual(largestFunction);
  });

  test('are rejected above the limit', async () => {
    const slugs = Array.from({ length: 400 }, (_, index) => `/a-page-with-a-long-name-${index}`);
    await expect(bundleEdgeFunctions({ ...constants, slugs: list(slugs) })).rejects.toThrow(
      /over the limit of 9728/,
    );
  });

  test('define one handler, export nothing, and use no syntax that cloudfront-js-2.0 lacks', () => {
    for (const code of Object.values(functions)) {
      expect(code.match(/function handler\(/g)).toHaveLength(1);
      expect(code).not.toMatch(/\b(import|export|class|async|await|Proxy|URL|Buffer|globalThis)\b/);
      const bare = code.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, '""');
      expect(bare).not.toMatch(/\?\.[^\d]|\?\?|\.\.\.|\bof\b|\*\*/);
    }
  });

  test('load a module of the runtime only for a preview with a token', async () => {
    expect(functions.viewerRequest).not.toContain('require');
    const { viewerRequest } = await bundleEdgeFunctions(preview());
    expect(viewerRequest.match(/require\(/g)).toHaveLength(1);
    expect(viewerRequest).not.toContain('requireOfTheRuntime');
  });

  test('contain only the hash of the access token', async () => {
    const { viewerRequest } = await bundleEdgeFunctions(preview());
    expect(viewerRequest).not.toContain('token');
    expect(viewerRequest).toContain(sha256('token'));
  });

  test('require every object whose key they can compute', () => {
    const site = fixture.manifest;
    const without = (key: string) => ({
      ...site,
      objects: site.objects.filter((object) => object.key !== key),
    });
    for (const key of ['pages/es.md.br', '_errors/es/404.md', 'llms.txt', '.well-known/api-catalog.gz']) {
      expect(() => edgeConstantsOf(without(key))).toThrow(key);
    }
  });

  test('require every page in every language', () => {
    const pages = fixture.manifest.pages.filter(({ path }) => path !== '/es/contact');
    expect(() => edgeConstantsOf({ ...fixture.manifest, pages })).toThrow('/es/contact');
  });
});

function responseEvents() {
  const { objects, pages } = fixture.manifest;
  const uris = [...objects.map(({ key }) => `/${key}`), ...pages.map(({ path }) => path)];
  return uris.flatMap((uri) =>
    ['text/html; charset=utf-8', 'text/markdown; charset=utf-8', undefined].map((type) => ({
      request: { method: 'GET', uri, querystring: {}, headers: {}, cookies: {} },
      response: {
        statusCode: type === undefined ? 304 : 200,
        headers: {
          ...(type && { 'content-type': { value: type } }),
          ...(uri.includes('_errors') && { 'x-amz-meta-edge-status': { value: '404' } }),
          'cache-control': { value: 'public, max-age=0, must-revalidate, s-maxage=86400' },
        },
      },
    })),
  );
}

describe.skipIf(!hasNjs)('in njs, the engine of CloudFront,', () => {
  test('the functions load and answer every request as in V8', async () => {
    const events = fc.sample(requestEvent, 1_500);
    const inNjs = runInNjs(functions.viewerRequest, events);
    expect(inNjs).toHaveLength(events.length);
    expect(inNjs).toEqual(inV8(functions.viewerRequest, events));

    const responses = responseEvents();
    expect(runInNjs(functions.viewerResponse, responses)).toEqual(inV8(functions.viewerResponse, responses));
  });

  test('the access token opens a preview', async () => {
    const { viewerRequest } = await bundleEdgeFunctions(preview());
    const event = (headers: object, cookies: object) => ({
      request: { method: 'GET', uri: '/contact.md', querystring: {}, headers, cookies },
    });
    const results = runInNjs(viewerRequest, [
      event({ 'x-kinora-preview': { value: 'token' } }, {}),
      event({}, { 'kinora-preview': { value: 'token' } }),
      event({}, { 'kinora-preview': { value: 'Token' } }),
      event({}, {}),
    ]) as { uri?: string; statusCode?: number }[];
    expect(results.map(({ uri, statusCode }) => uri ?? statusCode)).toEqual([
      ...['/pages/contact.md', '/pages/contact.md', 403, 403],
    ]);
  });
});

function inV8(code: string, events: readonly object[]): unknown[] {
  const run = new Function('events', `${code}; return events.map((event) => handler(event));`);
  return JSON.parse(JSON.stringify(run(structuredClone(events)))) as unknown[];
}

test('the home page is the same if CloudFront has already replaced / by the default root object', () => {
  const asked = (host: string, accept: string) =>
    ['/', `/${distributionSettings.defaultRootObject}`].map((uri) => {
      const headers = { host: { value: host }, accept: { value: accept } };
      return { request: { method: 'GET', uri, querystring: {}, headers, cookies: {} } };
    });
  for (const host of ['kinora.example', 'www.kinora.example', 'd1.cloudfront.net']) {
    for (const accept of ['text/html', 'text/markdown', 'image/png']) {
      const [first, second] = inV8(functions.viewerRequest, asked(host, accept));
      expect(second, `${host} ${accept}`).toEqual(first);
    }
  }
  const [, page] = inV8(functions.viewerRequest, asked('kinora.example', 'text/html'));
  expect(page).toMatchObject({ uri: '/pages/index.html' });
});

test('the V8 sandbox has the language, but no API of Node', async () => {
  const names = ['process', 'Buffer', 'fetch', 'setTimeout', 'URL', 'module', 'global'];
  const code = `function handler(event) { return { statusCode: 200, body: [${names.map((name) => `typeof ${name}`).join()}].join() }; }`;
  const request = { method: 'GET', uri: '/', querystring: {}, headers: {}, cookies: {} };
  const event = { type: 'viewer-request' as const, request, rawQueryString: undefined };
  const { body } = (await loadFunction(code, 'probe')(event)) as { body: string };
  expect(new Set(body.split(','))).toEqual(new Set(['undefined']));
});
