/** Random requests over the wire never get a 5xx answer, and never lead to another host. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, host, method, target } from './arbitraries.ts';
import { makeFixture } from './fixture.ts';
import { type RawResponse, served } from './raw-client.ts';

const { folder } = await makeFixture();
const ask = await served({ siteDir: folder, host: 'kinora.example' });

function expectSound({ status, headers, text }: RawResponse, wasHead = false): void {
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

const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
const anyTarget = fc.oneof(
  { weight: 3, arbitrary: target },
  { weight: 1, arbitrary: fc.string({ unit: byte, maxLength: 30 }).map((path) => `/${path}`) },
  fc.constantFrom('/contact', '/nope', '/es', '/v1/pages.json', '/contact.md', '/contact/', '/api'),
);
const name = fc.constantFrom(
  ...['Accept', 'Accept-Encoding', 'Range', 'If-None-Match', 'If-Range', 'Cookie', '__proto__', 'X-A'],
);
const headers = fc.array(fc.tuple(name, accept), { maxLength: 4 });

/** The repetitions make a pattern that can match in two ways take exponential time, which ends as 503. */
const fragment = fc.constantFrom(...[';', ' ', '  ', '\t', '=', '"', '\\', ',', 'a', 'a=b', 'q=1', '/', '*']);
const repetitive = fc
  .tuple(
    fc.constantFrom('', 'a/b', 'a/b;q="', '"a', 'bytes=', 'gzip'),
    fc.array(fragment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    fc.constantFrom('', '/', '"', '!'),
  )
  .map(([head, part, tail]) => head + part.repeat((1_000 - head.length) / part.length) + tail);
const parsed = fc.constantFrom('Accept', 'Accept-Encoding', 'Cookie', 'If-None-Match', 'If-Range', 'Range');

describe('an unknown client', () => {
  test('gets an answer below 500 for any repetitive header', async () => {
    await fc.assert(
      fc.asyncProperty(parsed, repetitive, async (name, value) => {
        expectSound(await ask({ target: '/contact', headers: [[name, value]] }));
      }),
      { numRuns: 400, examples: [['Accept', `a/b${';  '.repeat(24)}/`]] },
    );
  });

  test('gets an answer below 500 for any request, and is never redirected to another host', async () => {
    await fc.assert(
      fc.asyncProperty(anyTarget, method, host, headers, async (target, method, host, headers) => {
        expectSound(await ask({ target, method, host, headers }), method === 'HEAD');
      }),
      { numRuns: 800 },
    );
  });

  test('gets an answer below 500 for any page and header, and no redirect to a path without a page', async () => {
    await fc.assert(
      fc.asyncProperty(anyTarget, headers, async (target, headers) => {
        const response = await ask({ target, headers });
        expectSound(response);
        if (response.headers.location === undefined) return;
        const again = await ask({ target: new URL(response.headers.location).pathname });
        expect(again.status).toBe(200);
      }),
      { numRuns: 800 },
    );
  });

  test.each([
    '*',
    'contact',
    'http://kinora.example/contact',
    'https://evil.example/contact/',
    '//evil.example/%2f..',
  ])('can request %s', async (target) => expectSound(await ask({ target })));

  test('can request a very long path', async () => {
    expect((await ask({ target: `/${'a'.repeat(8_000)}` })).status).toBe(404);
    expect((await ask({ target: `/${'%61'.repeat(2_600)}` })).status).toBe(404);
    expect((await ask({ target: `/${'a'.repeat(9_000)}` })).status).toBe(414);
  });
});
