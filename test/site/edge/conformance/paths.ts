/** Paths below /api, paths that move, and alternate hosts. */
import { describe, expect, test } from 'vitest';
import { browser } from '../expectations.ts';
import { withoutDate } from '../raw-client.ts';
import type { Visit } from './visit.ts';

export function describePaths(site: Visit): void {
  const { get, problem } = site;

  describe('paths below /api', () => {
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
    test.each(paths)('%s have no API, for every method and Accept', async (target) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        for (const accept of [browser, '*/*;q=0', 'text/markdown']) {
          const response = await site.ask({ method, target: `${target}?x=1`, headers: [['Accept', accept]] });
          problem(response, 404, 'no_api_on_this_host', target);
        }
      }
    });

    test('have the same response for HEAD, without the body', async () => {
      const [head, got] = await Promise.all([
        site.ask({ method: 'HEAD', target: '/api/v1/x' }),
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
      ['/contact/index.html', '/contact'],
      ['/contact/?a=1&a=2', '/contact?a=1&a=2'],
      ['/contact/?b=2&a=1&b=1&&c', '/contact?b=2&a=1&b=1&&c'],
      ['/contact/?q=%2F%20//x?y', '/contact?q=%2F%20//x?y'],
      ['/contact/?', '/contact'],
      ['///contact//', '/contact'],
      ['/c%6Fntac%74/', '/contact'],
      ['//', '/'],
      ['/index.html', '/'],
      ['/es//contact', '/es/contact'],
      ['/es/', '/es'],
      ['/es.html', '/es'],
      ['/es/index.html', '/es'],
      ['/es/index.md', '/es.md'],
      ['//contact.md', '/contact.md'],
      ['/contact.md/', '/contact.md'],
      ['/contact%2Emd', '/contact.md'],
      ['/%2E%77ell-known/api-catalog', '/.well-known/api-catalog'],
      ['/v1/pages.json/', '/v1/pages.json'],
    ];
    test.each(moved)('%s is redirected to %s', async (from, to) => {
      const response = await get(from, browser);
      expect(response.status).toBe(301);
      expect(response.headers.location).toBe(site.baseUrl + to);
    });

    test('is redirected for every Accept, and for HEAD', async () => {
      for (const method of ['GET', 'HEAD']) {
        const response = await site.ask({
          method,
          target: '/contact/',
          headers: [['Accept', 'application/json']],
        });
        expect(response.headers.location).toBe(`${site.baseUrl}/contact`);
      }
    });
  });

  describe('an alternate host', () => {
    const askThere = (target: string, method = 'GET') =>
      site.ask({ method, target, host: site.alternateHost });

    test.each([
      ['/contact?a=1', '/contact?a=1'],
      ['/contact/?a=1', '/contact?a=1'],
      ['//evil.example/', '/evil.example/'],
      ['/nope', '/nope'],
    ])('answers %s with one redirect, which keeps the query', async (from, to) => {
      const response = await askThere(from);
      expect(response.status).toBe(301);
      expect(response.headers.location).toBe(site.baseUrl + to);
    });

    test('has no API', async () => {
      problem(await askThere('/api/v1', 'POST'), 404, 'no_api_on_this_host', '/api/v1');
    });
  });
}
