/** Pages: which representation an Accept field gets, twins, languages, links. */
import { describe, expect, test } from 'vitest';
import { browser, expectHtml, expectMarkdown, expectPageLinks } from '../expectations.ts';
import type { Visit } from './visit.ts';

export function describePages(site: Visit): void {
  const { get, problem } = site;

  describe('a page', () => {
    test('is HTML for a browser, with its links and an ETag', async () => {
      const response = await get('/contact', browser);
      expectHtml(response);
      expectPageLinks(response, site.baseUrl, '/contact', false);
      expect(response.headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    });

    const asHtml = [
      undefined,
      '*/*',
      '',
      'text/*',
      'text/html, text/markdown',
      'application/json, text/plain, */*',
      'text/markdown;q=0, */*',
      'garbage',
      'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    ];
    test.each(asHtml)('is HTML for Accept: %j', async (accept) => expectHtml(await get('/contact', accept)));

    const asMarkdown = [
      'text/markdown',
      'text/markdown, text/html, */*',
      'text/markdown, text/plain;q=0.9, */*;q=0.8',
      'text/markdown;variant=GFM',
      'Text/MarkDown;Q=1.0',
      'text/html;q=0, */*',
      'garbage, text/markdown',
    ];
    test.each(asMarkdown)('is markdown for Accept: %j', async (accept) => {
      const [response, twin] = await Promise.all([get('/contact', accept), get('/contact.md')]);
      expectMarkdown(response);
      expectPageLinks(response, site.baseUrl, '/contact', true);
      expect(response.body).toEqual(twin.body);
    });

    test.each(['*/*;q=0', 'application/json', 'text/*;q=0', 'application/problem+json'])(
      'answers 406 to Accept: %j',
      async (accept) => {
        const detail = problem(await get('/contact?x=1', accept), 406, 'not_acceptable', '/contact');
        expect(detail).toContain(`${site.baseUrl}/contact `);
        expect(detail).toContain(`${site.baseUrl}/contact.md`);
      },
    );

    test('joins several Accept headers', async () => {
      expectMarkdown(
        await get('/contact', 'text/plain', ['Accept', 'text/markdown'], ['accept', '*/*;q=0.1']),
      );
      expectHtml(await get('/contact', 'text/plain', ['Accept', 'text/html;q=0.2']));
    });

    test('has a markdown version that ignores Accept', async () => {
      for (const accept of ['text/html', browser, 'application/json', '*/*;q=0']) {
        const response = await get('/contact.md', accept);
        expectMarkdown(response);
        expectPageLinks(response, site.baseUrl, '/contact', true);
      }
    });

    test('has its markdown version at /index.md if it is the home page', async () => {
      const [page, twin] = await Promise.all([get('/', 'text/markdown'), get('/index.md')]);
      expectMarkdown(page);
      expectMarkdown(twin);
      expect(page.body).toEqual(twin.body);
      expectPageLinks(await get('/', browser), site.baseUrl, '/', false);
      expectPageLinks(twin, site.baseUrl, '/', true);
    });

    test('exists in Spanish below /es, with its language in the headers', async () => {
      const [page, twin, home] = await Promise.all([
        get('/es/contact', browser),
        get('/es/contact.md'),
        get('/es', 'text/markdown'),
      ]);
      expectHtml(page);
      expectMarkdown(twin);
      expectMarkdown(home);
      for (const { headers } of [page, twin, home]) expect(headers['content-language']).toBe('es');
      expectPageLinks(page, site.baseUrl, '/es/contact', false);
      expectPageLinks(home, site.baseUrl, '/es', true);
    });

    test('is revalidated by browsers, and cached only by CloudFront', async () => {
      const { headers } = await get('/contact', browser);
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    });

    test('has the security headers', async () => {
      for (const response of [await get('/contact', browser), await get('/contact.md'), await get('/nope')]) {
        expect(response.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
        expect(response.headers['x-content-type-options']).toBe('nosniff');
        expect(response.headers['content-security-policy']).not.toContain('unsafe-inline');
        expect(response.headers['referrer-policy']).toBeDefined();
        expect(response.headers['permissions-policy']).toBeDefined();
      }
    });
  });
}
