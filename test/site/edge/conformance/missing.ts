/** Paths without a page: 404 in the form that was asked for. */
import { describe, expect, test } from 'vitest';
import { browser, expectHtml, expectMarkdown, htmlType, linksOf } from '../expectations.ts';
import type { Visit } from './visit.ts';

export function describeMissingPages(site: Visit): void {
  const { get, problem } = site;

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
      '%s is the recovery guide for every Accept',
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
      '/apiary',
      '/API/v1',
      '/es/api/x',
      '/api.html',
      '/api%2Fv1',
      '/v1/api/x',
      '/Contact',
      '/contact/x',
      '/contact/..',
      '/../contact',
      '/./contact',
      '/contact%2F',
      '/contact%00',
      '/constructor',
      '/__proto__',
      '/es/es',
      '/index',
      '/contact.HTML',
      '/pages/contact.html',
      '/_errors/404.html',
      '/manifest.json',
      '/%E0%A4%A',
      '/%',
      '/%25',
      '/contact%20/contact',
      '/..',
      '/.html',
      '/assets/',
      '/assets/nope.css',
      '/assets/%',
      '/assets/../contact',
      '/assets/site.00000000.css',
      '/v1',
      '/v1/',
      '/.well-known',
      '/.well-known/api-catalog.br',
      '/contact.md.br',
      '/contact;x=1',
      '/a//b',
    ];
    test.each(others)('%s is a 404 like any other', async (target) => {
      const response = await get(target, browser);
      expect(response.status).toBe(404);
      expect(response.text).toMatch(/^<!doctype html>/i);
    });

    describe.each(['/assets/nope.css', '/assets/', '/assets/%', '/assets/site.00000000.css'])(
      'below /assets: %s',
      (target) => {
        test('is the recovery guide if the request prefers markdown', async () => {
          const [response, guide] = await Promise.all([get(target, 'text/markdown'), get('/404.md')]);
          expectMarkdown(response, 404);
          expect(response.body).toEqual(guide.body);
          expectMarkdown(await get(target, 'text/markdown, text/html, */*'), 404);
        });

        test('is a problem if the request prefers problems', async () => {
          for (const accept of ['application/problem+json', 'application/json, application/problem+json']) {
            problem(await get(`${target}?x=1`, accept), 404, 'page_not_found', target);
          }
        });

        test('is the HTML document for other requests', async () => {
          for (const accept of [browser, '*/*', 'text/css,*/*;q=0.1', 'image/png', 'application/json', '']) {
            const response = await get(target, accept);
            expect(response.status).toBe(404);
            expect(response.headers['content-type']).toBe(htmlType);
            expect(response.text).toContain('noindex');
          }
        });
      },
    );

    test.each(['/assets/nope.md', '/assets/.md', '/assets/site.00000000.md'])(
      '%s is the recovery guide for every Accept',
      async (target) => {
        for (const accept of ['*/*', 'text/html', 'application/problem+json']) {
          expectMarkdown(await get(target, accept), 404);
        }
      },
    );

    test('stays 404 with conditions and ranges', async () => {
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

    test('such as /404 and /404.md has status 200 if it is requested directly', async () => {
      expectHtml(await get('/404', browser));
      expectMarkdown(await get('/404.md', browser));
      expect((await get('/404', browser)).text).toContain('noindex');
    });
  });
}
