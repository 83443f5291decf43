/** The conformance table of design/site.md and the rules behind its rows, against any built site. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResponseUri } from '../../../local/edge/distribution.ts';
import { type Edge, startEdge } from '../../../local/edge/index.ts';
import {
  browser,
  expectHtml,
  expectMarkdown,
  expectPageLinks,
  expectProblem,
  linksOf,
  negotiated,
} from './expectations.ts';
import { type Ask, type RawResponse, rawClient } from './raw-client.ts';

export interface SiteUnderTest {
  readonly folder: string;
  readonly baseUrl: string;
  readonly alternateHost: string;
}

/** Has `/`, `/404`, `/contact`, `/blog` and the same below `/es`. */
export function describeConformance(
  name: string,
  site: () => Promise<SiteUnderTest>,
  responseUri: ResponseUri,
): void {
  describe(name, () => {
    let edge: Edge;
    let ask: Ask;
    let baseUrl: string;
    let alternateHost: string;
    beforeAll(async () => {
      const { folder, ...origins } = await site();
      ({ baseUrl, alternateHost } = origins);
      edge = await startEdge({ siteDir: folder, port: 0, responseUri });
      ask = rawClient(edge.url, new URL(baseUrl).host);
    });
    afterAll(() => edge?.close());

    const get = (target: string, accept?: string, ...headers: [string, string][]) =>
      ask({ target, headers: accept === undefined ? headers : [['Accept', accept], ...headers] });
    const problem = (response: RawResponse, status: number, code: string, instance: string) =>
      expectProblem(response, { status, code, instance, baseUrl });

    describe('a page', () => {
      test('is HTML for a browser, with its links and an ETag', async () => {
        const response = await get('/contact', browser);
        expectHtml(response);
        expectPageLinks(response, baseUrl, '/contact', false);
        expect(response.headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
      });

      test('is HTML without an Accept field', async () => expectHtml(await get('/contact')));

      const asHtml = [
        ...[
          '*/*',
          '',
          ' ',
          ',',
          'text/*',
          'text/html, text/markdown',
          'text/html;q=0.9, text/markdown;q=0.1',
        ],
        ...[
          'text/markdown;q=0, text/html',
          'application/json, text/plain, */*',
          'TEXT/HTML',
          'text/html;level=1',
        ],
        ...[
          'text/markdown;q=0.5, text/*',
          'text/markdown;q=0, */*',
          'text/html ; q=1',
          'garbage',
          'text/',
          '/',
        ],
        ...[
          'text/markdown;q=2',
          'text/markdown;q=high',
          '*/markdown',
          'application/json, ;;;',
          '"text/markdown"',
        ],
        ...[
          'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
          'x/y;a="text/markdown, text/markdown", */*',
        ],
      ];
      test.each(asHtml)('is HTML for Accept: %j', async (accept) =>
        expectHtml(await get('/contact', accept)),
      );

      const asMarkdown = [
        ...['text/markdown', 'text/markdown, text/html, */*', 'text/markdown, text/plain;q=0.9, */*;q=0.8'],
        ...[
          'text/markdown;variant=GFM',
          'Text/MarkDown;Q=1.0',
          'text/markdown, text/html',
          'text/markdown;q=0.001',
        ],
        ...[
          'text/markdown; charset=utf-8',
          'text/markdown;q=1.000;variant="G,F\\"M"',
          ' text/markdown\t;\tq=0.4 ',
        ],
        ...[
          'text/html;q=0.3, text/*;q=0.8',
          'text/html;q=0, */*',
          'text/markdown;;q=0.5;',
          '*/*, text/markdown',
        ],
        ...['text/markdown;q=0.8, */*;q=0.8', 'text/html;q=.5, text/markdown;q=.6', 'garbage, text/markdown'],
      ];
      test.each(asMarkdown)('is markdown for Accept: %j', async (accept) => {
        const [response, twin] = await Promise.all([get('/contact', accept), get('/contact.md')]);
        expectMarkdown(response);
        expectPageLinks(response, baseUrl, '/contact', true);
        expect(response.body).toEqual(twin.body);
      });

      const refused = ['*/*;q=0', 'application/json', 'text/plain', 'text/*;q=0', 'image/*, application/*'];
      test.each([...refused, 'text/html;q=0, text/markdown;q=0.0', 'application/problem+json'])(
        'answers 406 to Accept: %j',
        async (accept) => {
          const detail = problem(await get('/contact?x=1', accept), 406, 'not_acceptable', '/contact');
          expect(detail).toContain(`${baseUrl}/contact `);
          expect(detail).toContain(`${baseUrl}/contact.md`);
        },
      );

      test('reads an Accept that comes on several lines as one', async () => {
        expectMarkdown(
          await get('/contact', 'text/plain', ['Accept', 'text/markdown'], ['accept', '*/*;q=0.1']),
        );
        expectHtml(await get('/contact', 'text/plain', ['Accept', 'text/html;q=0.2']));
      });

      test('has a twin that ignores Accept', async () => {
        for (const accept of ['text/html', browser, 'application/json', '*/*;q=0']) {
          const response = await get('/contact.md', accept);
          expectMarkdown(response);
          expectPageLinks(response, baseUrl, '/contact', true);
        }
      });

      test('the home page has its twin at /index.md', async () => {
        const [page, twin] = await Promise.all([get('/', 'text/markdown'), get('/index.md')]);
        expectMarkdown(page);
        expectMarkdown(twin);
        expect(page.body).toEqual(twin.body);
        expectPageLinks(await get('/', browser), baseUrl, '/', false);
        expectPageLinks(twin, baseUrl, '/', true);
      });

      test('exists in Spanish below /es, and says so', async () => {
        const [page, twin, home] = await Promise.all([
          get('/es/contact', browser),
          get('/es/contact.md'),
          get('/es', 'text/markdown'),
        ]);
        expectHtml(page);
        expectMarkdown(twin);
        expectMarkdown(home);
        for (const { headers } of [page, twin, home]) expect(headers['content-language']).toBe('es');
        expectPageLinks(page, baseUrl, '/es/contact', false);
        expectPageLinks(home, baseUrl, '/es', true);
      });

      test('is revalidated by viewers, and kept by CloudFront alone', async () => {
        const { headers } = await get('/contact', browser);
        expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      });

      test('carries the security headers', async () => {
        for (const response of [
          await get('/contact', browser),
          await get('/contact.md'),
          await get('/nope'),
        ]) {
          expect(response.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
          expect(response.headers['x-content-type-options']).toBe('nosniff');
          expect(response.headers['content-security-policy']).not.toContain('unsafe-inline');
          expect(response.headers['referrer-policy']).toBeDefined();
          expect(response.headers['permissions-policy']).toBeDefined();
        }
      });
    });

    describe('a path without a page', () => {
      const asHtml = ['*/*', 'image/png', 'application/json', '', 'text/*', 'garbage', '*/*;q=0'];
      test.each([browser, ...asHtml])('is the HTML document for Accept: %j', async (accept) => {
        const response = await get('/nope', accept);
        expectHtml(response, 404);
        expect(response.text).toContain('noindex');
        expect(response.headers['x-amz-meta-edge-status']).toBeUndefined();
        expect(linksOf(response).canonical).toBeUndefined();
      });

      test.each(['text/markdown', 'text/markdown, text/html, */*', 'text/markdown;q=0.9, application/json'])(
        'is the recovery guide for Accept: %j',
        async (accept) => {
          const [response, guide] = await Promise.all([get('/nope', accept), get('/404.md')]);
          expectMarkdown(response, 404);
          expect(response.body).toEqual(guide.body);
        },
      );

      test.each(['application/problem+json', 'application/json, application/problem+json', 'application/*'])(
        'is a problem for Accept: %j',
        async (accept) => {
          problem(await get('/nope?q=/contact', accept), 404, 'page_not_found', '/nope');
        },
      );

      test.each(['/nope.md', '/contact.md.md', '/.md', '/contact/.md', '/contact.html.md', '/v1/nope.md'])(
        '%s is the recovery guide whatever Accept says',
        async (target) => {
          for (const accept of ['*/*', 'text/html', 'application/problem+json']) {
            expectMarkdown(await get(target, accept), 404);
          }
        },
      );

      test('is in Spanish below /es', async () => {
        for (const [response, twin] of [
          [await get('/es/nope', 'text/markdown'), await get('/es/404.md')],
          [await get('/es/nope.md'), await get('/es/404.md')],
        ] as const) {
          expectMarkdown(response, 404);
          expect(response.headers['content-language']).toBe('es');
          expect(response.body).toEqual(twin.body);
        }
      });

      const others = [
        ...['/apiary', '/API/v1', '/es/api/x', '/api.html', '/api%2Fv1', '/apis/', '/v1/api/x'],
        ...[
          '/Contact',
          '/contact/x',
          '/contact/..',
          '/../contact',
          '/./contact',
          '/contact%2F',
          '/contact%00',
        ],
        ...['/constructor', '/__proto__', '/toString', '/hasOwnProperty', '/es/constructor', '/valueOf.html'],
        ...['/es/es', '/es/es/contact', '/index', '/contact.HTML', '/contact.htm', '/contact.html.html'],
        ...[
          '/pages/contact.html',
          '/pages/index.html',
          '/_errors/404.html',
          '/_errors/404',
          '/manifest.json',
        ],
        ...['/%E0%A4%A', '/%', '/%zz', '/%ff%fe', '/%25', '/contact%20/contact', '/.', '/..', '/.html'],
        ...[
          '/assets',
          '/assets/',
          '/assets/nope.css',
          '/assets/%',
          '/assets/../contact',
          '/v1',
          '/v1/',
          '/v1/nope',
        ],
        ...['/.well-known', '/.well-known/api-catalog.br', '/contact.md.br', '/contact;x=1', '/a//b'],
      ];
      test.each(others)('%s is an ordinary 404', async (target) => {
        const response = await get(target, browser);
        expect(response.status).toBe(404);
        expect(response.text).toMatch(/^<!doctype html>/i);
      });

      test('stays 404 under conditions and ranges', async () => {
        const { headers } = await get('/nope', browser);
        for (const condition of [
          ['If-None-Match', headers.etag ?? '*'],
          ['If-None-Match', '*'],
          ['If-Match', '"x"'],
          ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
          ['If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
          ['Range', 'bytes=0-9'],
        ] as [string, string][]) {
          expectHtml(await get('/nope', browser, condition), 404);
        }
      });

      test('/404 and /404.md themselves answer 200', async () => {
        expectHtml(await get('/404', browser));
        expectMarkdown(await get('/404.md', browser));
        expect((await get('/404', browser)).text).toContain('noindex');
      });
    });

    describe('below /api', () => {
      const paths = [
        '/api',
        '/api/',
        '/api/v1/x',
        '//api',
        '/api//v1',
        '/%61pi/v1',
        '/api/../contact',
        '/api/%zz',
      ];
      test.each(paths)('%s has no API, whatever the method and Accept', async (target) => {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
          for (const accept of [browser, '*/*;q=0', 'text/markdown']) {
            const response = await ask({ method, target: `${target}?x=1`, headers: [['Accept', accept]] });
            problem(response, 404, 'no_api_on_this_host', target);
          }
        }
      });

      test('HEAD is answered likewise, without the body', async () => {
        const [head, got] = await Promise.all([
          ask({ method: 'HEAD', target: '/api/v1/x' }),
          get('/api/v1/x'),
        ]);
        expect(head.status).toBe(404);
        expect(head.sent).toBe(0);
        expect(withoutDate(head)).toEqual(withoutDate(got));
      });
    });

    describe('a path that is not canonical', () => {
      const moved: [from: string, to: string][] = [
        ['/contact/', '/contact'],
        ['/contact.html', '/contact'],
        ['/contact.html/', '/contact'],
        ['/contact/index.html', '/contact'],
        ['/contact/?a=1&a=2', '/contact?a=1&a=2'],
        ['/contact/?b=2&a=1&b=1&&c', '/contact?b=2&a=1&b=1&&c'],
        ['/contact/?q=%2F%20//x?y', '/contact?q=%2F%20//x?y'],
        ['/contact/?', '/contact'],
        ['//contact', '/contact'],
        ['///contact//', '/contact'],
        ['/%63ontact', '/contact'],
        ['/c%6Fntac%74/', '/contact'],
        ['//', '/'],
        ['/index.html', '/'],
        ['/es//contact', '/es/contact'],
        ['/es.html', '/es'],
        ['/es/index.html', '/es'],
        ['/es/index.md', '/es.md'],
        ['//contact.md', '/contact.md'],
        ['/contact.md/', '/contact.md'],
        ['/contact%2Emd', '/contact.md'],
        ['/%2E%77ell-known/api-catalog', '/.well-known/api-catalog'],
        ['/v1/pages.json/', '/v1/pages.json'],
      ];
      test.each(moved)('%s moves to %s', async (from, to) => {
        const response = await get(from, browser);
        expect(response.status).toBe(301);
        expect(response.headers.location).toBe(baseUrl + to);
      });

      test('moves whatever Accept says, and for HEAD too', async () => {
        for (const method of ['GET', 'HEAD']) {
          const response = await ask({
            method,
            target: '/contact/',
            headers: [['Accept', 'application/json']],
          });
          expect(response.headers.location).toBe(`${baseUrl}/contact`);
        }
      });

      test('/es/ moves to /es', async () => {
        expect((await get('/es/', browser)).headers.location).toBe(`${baseUrl}/es`);
      });
    });

    describe('an alternate host', () => {
      const askThere = (target: string, method = 'GET') => ask({ method, target, host: alternateHost });

      test.each([
        ['/contact?a=1', '/contact?a=1'],
        ['/contact/?a=1', '/contact?a=1'],
        ['//evil.example/', '/evil.example/'],
        ['/nope', '/nope'],
      ])('answers %s with one redirect, query kept', async (from, to) => {
        const response = await askThere(from);
        expect(response.status).toBe(301);
        expect(response.headers.location).toBe(baseUrl + to);
      });

      test('has no API either', async () => {
        expectProblem(await askThere('/api/v1', 'POST'), {
          ...{ status: 404, code: 'no_api_on_this_host', instance: '/api/v1', baseUrl },
        });
      });
    });

    describe('methods', () => {
      test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])('%s is not allowed', async (method) => {
        for (const target of ['/contact', '/nope', '/v1/pages.json', '/contact/']) {
          const response = await ask({ method, target });
          problem(response, 405, 'method_not_allowed', target);
          expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
        }
      });

      test('OPTIONS names them', async () => {
        const response = await ask({ method: 'OPTIONS', target: '/contact' });
        expect(response.status).toBe(204);
        expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
        expect(response.sent).toBe(0);
      });

      const targets = [
        '/contact',
        '/contact.md',
        '/nope',
        '/nope.md',
        '/contact/',
        '/v1/pages.json',
        '/assets/nope',
      ];
      test.each([...targets, '/.well-known/api-catalog'])(
        'HEAD %s mirrors GET without the body',
        async (target) => {
          for (const accept of ['text/markdown', browser, 'application/problem+json']) {
            const headers = [['Accept', accept] as const];
            const [head, got] = await Promise.all([
              ask({ method: 'HEAD', target, headers }),
              ask({ method: 'GET', target, headers }),
            ]);
            expect(head.sent).toBe(0);
            expect(head.status).toBe(got.status);
            expect(withoutDate(head)).toEqual(withoutDate(got));
          }
        },
      );
    });

    describe('what the viewer has already', () => {
      test.each([browser, 'text/markdown'])('is not sent again to Accept: %j', async (accept) => {
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

      test('in one representation says nothing of the other', async () => {
        const html = await get('/contact', browser);
        const response = await get('/contact', 'text/markdown', ['If-None-Match', html.headers.etag!]);
        expectMarkdown(response);
      });

      test('may be a part', async () => {
        const whole = await get('/contact', browser);
        const part = await get('/contact', browser, ['Range', 'bytes=2-8']);
        expect(part.status).toBe(206);
        expect(part.text).toBe(whole.text.slice(2, 9));
        expect(part.headers['content-range']).toBe(`bytes 2-8/${whole.body.length}`);
        expect(part.headers.vary).toBe(negotiated);
      });
    });

    describe('content codings', () => {
      test.each([
        ['br', 'br'],
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
        ['identity', undefined],
        ['br;q=0', undefined],
        ['', undefined],
      ])('Accept-Encoding: %j gets %s', async (field, coding) => {
        for (const accept of [browser, 'text/markdown']) {
          const response = await get('/contact', accept, ['Accept-Encoding', field]);
          expect(response.headers['content-encoding']).toBe(coding);
          expect(response.headers.vary).toBe(negotiated);
          expect(response.text).toBe((await get('/contact', accept)).text);
        }
      });

      test.each([
        ['*', 'br'],
        ['gzip;q=1.0, br;q=0.5', 'gzip'],
        ['br;q=0.5, identity', undefined],
        ['*;q=0.1, br;q=0', 'gzip'],
        ['BR', 'br'],
        ['constructor, toString', undefined],
      ])('markdown is stored in each: %j gets %s', async (field, coding) => {
        const response = await get('/contact.md', undefined, ['Accept-Encoding', field]);
        expect(response.headers['content-encoding']).toBe(coding);
      });
    });

    describe('machine indexes', () => {
      test('the catalog is a linkset whatever Accept says', async () => {
        for (const accept of ['text/html', '*/*;q=0', browser]) {
          const response = await get('/.well-known/api-catalog', accept);
          expect(response.status).toBe(200);
          expect(response.headers['content-type']).toBe(
            'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
          );
          expect(response.headers.vary).toBe(negotiated);
          expect(Object.keys(JSON.parse(response.text))).toEqual(['linkset']);
        }
      });

      test('HEAD on the catalog links to itself', async () => {
        const response = await ask({ method: 'HEAD', target: '/.well-known/api-catalog' });
        expect(linksOf(response)['api-catalog']).toEqual([`${baseUrl}/.well-known/api-catalog`]);
      });

      test('/v1 is JSON whatever Accept says', async () => {
        for (const accept of ['text/html', 'text/markdown', '*/*;q=0']) {
          const response = await get('/v1/pages.json', accept);
          expect(response.status).toBe(200);
          expect(response.headers['content-type']).toBe('application/json');
          JSON.parse(response.text);
        }
      });
    });

    test('the default host of the CDN is closed, but for the catalog', async () => {
      const paths = [
        '/',
        '/contact',
        '/contact.md',
        '/nope',
        '/api/x',
        '/contact/',
        '/assets/x',
        '/v1/pages.json',
      ];
      for (const host of [
        'd1.cloudfront.net',
        'D111.CLOUDFRONT.NET',
        'kinora.example.evil.example',
        'x:80',
      ]) {
        for (const target of paths) {
          for (const method of ['GET', 'POST', 'OPTIONS']) {
            const response = await ask({ target, method, host });
            problem(response, 403, 'preview_restricted', target);
            expect(response.headers['x-robots-tag']).toBe('noindex');
          }
        }
        expect((await ask({ target: '/.well-known/api-catalog', host })).status).toBe(200);
      }
    });
  });
}

const withoutDate = ({ headers: { date: _, ...headers } }: RawResponse) => headers;
