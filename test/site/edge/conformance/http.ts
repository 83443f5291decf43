/** Methods, conditional requests, ranges and content codings. */
import { describe, expect, test } from 'vitest';
import { browser, expectMarkdown, negotiated } from '../expectations.ts';
import { withoutDate } from '../raw-client.ts';
import type { Visit } from './visit.ts';

export function describeHttp(site: Visit): void {
  const { get, problem } = site;

  describe('the methods of requests', () => {
    test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])(
      'exclude %s, which is not allowed',
      async (method) => {
        for (const target of ['/contact', '/nope', '/v1/pages.json', '/contact/']) {
          const response = await site.ask({ method, target });
          problem(response, 405, 'method_not_allowed', target);
          expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
        }
      },
    );

    test('are listed by OPTIONS', async () => {
      const response = await site.ask({ method: 'OPTIONS', target: '/contact' });
      expect(response.status).toBe(204);
      expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
      expect(response.sent).toBe(0);
    });

    const targets = ['/contact', '/contact.md', '/nope', '/contact/', '/v1/pages.json', '/assets/nope'];
    test.each([...targets, '/.well-known/api-catalog'])(
      'include HEAD: %s has the headers of GET and no body',
      async (target) => {
        for (const accept of ['text/markdown', browser, 'application/problem+json']) {
          const headers = [['Accept', accept] as const];
          const [head, got] = await Promise.all([
            site.ask({ method: 'HEAD', target, headers }),
            site.ask({ method: 'GET', target, headers }),
          ]);
          expect(head.sent).toBe(0);
          expect(head.status).toBe(got.status);
          expect(withoutDate(head)).toEqual(withoutDate(got));
        }
      },
    );
  });

  describe('a request with a condition or a range', () => {
    test.each([browser, 'text/markdown'])('gets 304 for an unchanged page: %j', async (accept) => {
      for (const coding of ['br', 'gzip', 'identity']) {
        const codings: [string, string] = ['Accept-Encoding', coding];
        const first = await get('/contact', accept, codings);
        const second = await get('/contact', accept, codings, ['If-None-Match', first.headers.etag!]);
        expect(second.status).toBe(304);
        expect(second.sent).toBe(0);
        expect(second.headers.etag).toBe(first.headers.etag);
        expect(second.headers.vary).toBe(negotiated);
        expect(second.headers['cache-control']).toBe(first.headers['cache-control']);
      }
    });

    test('gets the whole page for the ETag of the other representation', async () => {
      const html = await get('/contact', browser);
      const response = await get('/contact', 'text/markdown', ['If-None-Match', html.headers.etag!]);
      expectMarkdown(response);
    });

    test('gets a part of the page for a range', async () => {
      const whole = await get('/contact', browser);
      const part = await get('/contact', browser, ['Range', 'bytes=2-8']);
      expect(part.status).toBe(206);
      expect(part.text).toBe(whole.text.slice(2, 9));
      expect(part.headers['content-range']).toBe(`bytes 2-8/${whole.body.length}`);
      expect(part.headers.vary).toBe(negotiated);
    });
  });

  describe('content encodings', () => {
    test.each([
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
      ['', undefined],
      ['BR', 'br'],
      ['constructor, toString', undefined],
    ])('are negotiated: for Accept-Encoding %j the response has %s', async (field, coding) => {
      for (const [target, accept] of [
        ['/contact', browser],
        ['/contact', 'text/markdown'],
        ['/contact.md', undefined],
      ] as const) {
        const response = await get(target, accept, ['Accept-Encoding', field]);
        expect(response.headers['content-encoding']).toBe(coding);
        expect(response.headers.vary).toBe(negotiated);
        expect(response.text).toBe((await get(target, accept)).text);
      }
    });
  });
}
