/** Random requests over the wire never get a 5xx answer, and never lead to another host. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Edge, startEdge } from '../../../local/edge/index.ts';
import { accept, host, method, target } from './arbitraries.ts';
import { makeFixture } from './fixture.ts';
import { type Ask, type RawResponse, rawClient } from './raw-client.ts';

let edge: Edge;
let ask: Ask;
beforeAll(async () => {
  const { folder } = await makeFixture();
  edge = await startEdge({ siteDir: folder, port: 0 });
  ask = rawClient(edge.url, 'kinora.example');
});
afterAll(() => edge?.close());

function expectSound({ status, headers, text }: RawResponse, wasHead: boolean): void {
  expect(status).toBeLessThan(500);
  if (headers.location !== undefined) {
    expect(headers.location).toMatch(/^https:\/\/kinora\.example\/(?!\/)/);
    expect(new URL(headers.location).origin).toBe('https://kinora.example');
  }
  if (headers['content-type'] === 'application/problem+json' && !wasHead) {
    const problem = JSON.parse(text) as { status: number };
    expect(problem.status).toBe(status);
    expect(Object.keys(problem)).toHaveLength(7);
  }
}

const runs = { numRuns: 400 };

describe('an unknown client', () => {
  test('gets an answer below 500 for any Accept', async () => {
    const paths = fc.constantFrom(
      '/contact',
      '/nope',
      '/es',
      '/v1/pages.json',
      '/contact.md',
      '/contact/',
      '/api',
    );
    await fc.assert(
      fc.asyncProperty(paths, fc.array(accept, { maxLength: 3 }), async (path, fields) => {
        const headers = fields.map((field) => ['Accept', field] as const);
        expectSound(await ask({ target: path, headers }), false);
      }),
      runs,
    );
  });

  test('gets an answer below 500 for any path, and is never redirected to another host', async () => {
    await fc.assert(
      fc.asyncProperty(target, method, host, async (path, verb, name) => {
        expectSound(await ask({ target: path, method: verb, host: name }), verb === 'HEAD');
      }),
      runs,
    );
  });

  test('gets no redirect from the public host for a path without a page', async () => {
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        const response = await ask({ target: path });
        if (response.headers.location === undefined) return;
        const again = await ask({ target: new URL(response.headers.location).pathname });
        expect(again.status).toBe(200);
      }),
      runs,
    );
  });

  test('gets an answer below 500 for any bytes in the path', async () => {
    const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: byte, maxLength: 30 }), async (path) => {
        expectSound(await ask({ target: `/${path}` }), false);
      }),
      runs,
    );
  });

  test.each([
    '*',
    'contact',
    'http://kinora.example/contact',
    'https://evil.example/contact/',
    '//evil.example/%2f..',
  ])('can request %s', async (path) => expectSound(await ask({ target: path }), false));

  test('can send any headers', async () => {
    const name = fc.constantFrom(
      'Accept-Encoding',
      'Range',
      'If-None-Match',
      'If-Range',
      'Cookie',
      '__proto__',
      'X-A',
    );
    const pairs = fc.array(fc.tuple(name, accept), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(target, pairs, async (path, headers) => {
        expectSound(await ask({ target: path, headers }), false);
      }),
      runs,
    );
  });

  test('can request a very long path', async () => {
    expect((await ask({ target: `/${'a'.repeat(8_000)}` })).status).toBe(404);
    expect((await ask({ target: `/${'%61'.repeat(2_600)}` })).status).toBe(404);
    expect((await ask({ target: `/${'a'.repeat(9_000)}` })).status).toBe(414);
  });
});
