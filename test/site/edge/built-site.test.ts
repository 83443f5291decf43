/** The real site behind the emulator; there only after `npm run build:site`. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { SiteManifest } from '../../../content/site.ts';
import { browser, expectHtml, expectMarkdown, expectPageLinks } from './expectations.ts';
import { filledSite, isBuilt } from './filled-site.ts';
import { type Ask, served } from './raw-client.ts';

interface IndexedPage {
  readonly url: string;
  readonly markdown_url: string;
}

describe.skipIf(!isBuilt)('the built site', () => {
  let ask: Ask;
  let site: SiteManifest;
  let indexed: IndexedPage[];
  beforeAll(async () => {
    const filled = await filledSite();
    site = filled.manifest;
    ask = await served({ siteDir: filled.folder, host: site.hosts.host });
    indexed = JSON.parse((await ask({ target: '/v1/pages.json' })).text).pages;
  });

  const targetOf = (url: string) => url.slice(site.hosts.baseUrl.length) || '/';

  test('answers 200 to every page and markdown version of its indexes, with their links', async () => {
    for (const { url, markdown_url } of indexed) {
      const page = await ask({ target: targetOf(url), headers: [['Accept', browser]] });
      expectHtml(page);
      expectPageLinks(page, site.hosts.baseUrl, targetOf(url), false);
      const twin = await ask({ target: targetOf(markdown_url) });
      expectMarkdown(twin);
      const asked = await ask({ target: targetOf(url), headers: [['Accept', 'text/markdown']] });
      expect(asked.body).toEqual(twin.body);
    }
  });

  test('answers 200 to every resource and asset, with its type and caching', async () => {
    const types = new Map(site.resources.map(({ path, contentType }) => [path, contentType]));
    for (const [target, type] of types) {
      const response = await ask({ target });
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe(type);
    }
    for (const { key, contentType } of site.objects.filter((object) => object.key.startsWith('assets/'))) {
      const response = await ask({ target: `/${key}` });
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe(contentType);
      expect(response.headers['cache-control']).toContain('immutable');
      expect(response.headers.vary).toBe('Accept-Encoding');
    }
  });

  test('has pages for all links of the header', async () => {
    const { headers } = await ask({ target: '/contact' });
    for (const [, url] of headers.link!.matchAll(/<([^>]*)>/g)) {
      expect((await ask({ target: targetOf(url!) })).status).toBe(200);
    }
  });

  test('has the address of its API from its deployment, and no placeholder', async () => {
    const { apiUrl } = site.hosts;
    for (const target of ['/llms.txt', '/.well-known/api-catalog', '/contact', '/es/contact.md']) {
      expect((await ask({ target })).text, target).not.toContain('kinora.invalid');
    }
    expect((await ask({ target: '/llms.txt' })).text).toContain(`${apiUrl}/openapi.json`);
  });

  test('documents every problem that the edge functions return', async () => {
    const page = (await ask({ target: '/problems' })).text;
    const questions = [
      { target: '/api' },
      { target: '/nope', headers: [['Accept', 'application/problem+json']] },
      { target: '/contact', headers: [['Accept', 'image/png']] },
      { target: '/contact', method: 'POST' },
      { target: '/contact', host: 'd1.cloudfront.net' },
    ] as const;
    for (const question of questions) {
      const { type } = JSON.parse((await ask(question)).text) as { type: string };
      expect(page).toContain(`id="${type.split('#')[1]}"`);
    }
  });
});
