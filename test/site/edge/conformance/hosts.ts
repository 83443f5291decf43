/** Machine indexes, and the default host of the CDN. */
import { describe, expect, test } from 'vitest';
import { browser, linksOf, negotiated } from '../expectations.ts';
import type { Visit } from './visit.ts';

export function describeIndexesAndHosts(site: Visit): void {
  const { get, problem } = site;

  describe('machine-readable indexes', () => {
    test('include a catalog that is a linkset for every Accept, and links to itself', async () => {
      for (const accept of ['text/html', '*/*;q=0', browser]) {
        const response = await get('/.well-known/api-catalog', accept);
        expect(response.status).toBe(200);
        expect(response.headers['content-type']).toBe(
          'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        );
        expect(response.headers.vary).toBe(negotiated);
        expect(Object.keys(JSON.parse(response.text))).toEqual(['linkset']);
        expect(linksOf(response)['api-catalog']).toEqual([`${site.baseUrl}/.well-known/api-catalog`]);
      }
    });

    test('include /v1, which is JSON for every Accept', async () => {
      for (const accept of ['text/html', 'text/markdown', '*/*;q=0']) {
        const response = await get('/v1/pages.json', accept);
        expect(response.status).toBe(200);
        expect(response.headers['content-type']).toBe('application/json');
        JSON.parse(response.text);
      }
    });
  });

  test('an asset keeps its type for every Accept', async () => {
    for (const accept of ['text/html', 'text/markdown', 'application/problem+json', '*/*;q=0']) {
      const response = await get(site.asset, accept);
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('text/css; charset=utf-8');
      expect(response.headers['cache-control']).toContain('immutable');
      expect(response.headers.vary).toBe('Accept-Encoding');
    }
  });

  test('the default host of the CDN answers only requests for the catalog', async () => {
    const paths = ['/', '/contact', '/contact.md', '/nope', '/api/x', '/contact/', '/assets/x'];
    for (const host of ['d1.cloudfront.net', 'D111.CLOUDFRONT.NET', 'kinora.example.evil.example', 'x:80']) {
      for (const target of paths) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const response = await site.ask({ target, method, host });
          problem(response, 403, 'preview_restricted', target);
          expect(response.headers['x-robots-tag']).toBe('noindex');
        }
      }
      expect((await site.ask({ target: '/.well-known/api-catalog', host })).status).toBe(200);
    }
  });
}
