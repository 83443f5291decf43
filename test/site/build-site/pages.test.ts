import { gzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import { toString as mdastText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { languages, type Page } from '../../../content/site.ts';
import { builtSite, environment } from './built.ts';

const { baseUrl } = environment;
const markdown = unified().use(remarkParse).use(remarkGfm);

const site = await builtSite();

const htmlOf = ({ path }: Page): string =>
  site.read(site.manifest.pages.find((page) => page.path === path)!.html);
const twinOf = ({ path }: Page): string =>
  site.read(site.manifest.pages.find((page) => page.path === path)!.markdown);

const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' };

/** Text of an HTML fragment, by means that the build does not use. */
function textOfHtml(html: string): string {
  const bare = html.replace(/<[^>]*>/g, ' ');
  return bare.replace(/&(#x?)?(\w+);/g, (_, numeric: string | undefined, name: string) => {
    if (numeric === undefined) return characters[name] ?? `&${name};`;
    return String.fromCodePoint(Number.parseInt(name, numeric === '#x' ? 16 : 10));
  });
}

/** Only what a reader reads: tags part words where markdown has none, so white space says nothing. */
const letters = (text: string): string => text.replace(/\s/g, '');

function mainOf(html: string): string {
  const [, main] = /<main[^>]*>(.*)<\/main>/s.exec(html)!;
  return main!;
}

describe('every page', () => {
  it('exists in both languages with the same path', () => {
    const slugs = (language: string) =>
      site.pages.filter((p) => p.language === language).map(({ slug }) => slug);
    expect(slugs('es').sort()).toEqual(slugs('en').sort());
    expect(slugs('en').length).toBeGreaterThanOrEqual(25);
  });

  it('has the same text as HTML and as markdown', () => {
    for (const page of site.pages) {
      const twin = letters(mdastText(markdown.parse(twinOf(page))));
      expect(letters(textOfHtml(mainOf(htmlOf(page)))), page.path).toBe(twin);
    }
  });

  it('is valid HTML', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      // Titles name the article, however long; HTML lets an id begin with a digit.
      rules: { 'long-title': 'off', 'valid-id': ['error', { relaxed: true }] },
    });
    for (const page of site.pages) {
      const report = await validator.validateString(htmlOf(page));
      const found = report.results.flatMap(({ messages }) => messages);
      expect(found.map(({ ruleId, message, line }) => `${page.path}:${line} ${ruleId} ${message}`)).toEqual(
        [],
      );
    }
  });

  it('links only to pages, files and sections that exist', () => {
    const files = new Set(site.manifest.objects.map(({ key }) => `/${key}`));
    const twins = new Set(site.pages.map(({ twinPath }) => twinPath));
    const byPath = new Map(site.pages.map((page) => [page.path, htmlOf(page)]));
    for (const page of site.pages) {
      for (const [, href] of htmlOf(page).matchAll(/ (?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(href!, `${baseUrl}${page.path}`);
        if (origin !== baseUrl) continue;
        const exists = byPath.has(pathname) || twins.has(pathname) || files.has(pathname);
        expect(exists, `${page.path} links to ${href}`).toBe(true);
        const section = hash === '' ? '' : ` id="${decodeURIComponent(hash.slice(1))}"`;
        expect(byPath.get(pathname) ?? '', `${page.path} links to ${href}`).toContain(section);
      }
    }
  });

  it('has absolute links in its markdown version', () => {
    for (const page of site.pages) {
      expect(twinOf(page).match(/\]\((?!https?:|mailto:)[^)]*\)/g), page.path).toBeNull();
    }
  });

  it('links to its canonical address, its markdown version, and both of its languages', () => {
    for (const page of site.pages) {
      const html = htmlOf(page);
      expect(html).toContain(`<link rel="canonical" href="${baseUrl}${page.path}">`);
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${baseUrl}${page.twinPath}">`);
      for (const language of languages) {
        const there = site.pages.find((other) => other.slug === page.slug && other.language === language)!;
        const link = `hreflang="${language}" href="${baseUrl}${there.path}">`;
        expect(html).toContain(link);
        expect(htmlOf(there)).toContain(`hreflang="${page.language}" href="${baseUrl}${page.path}">`);
      }
      expect(html).toContain(`hreflang="x-default" href="${baseUrl}${page.alternates.en}">`);
    }
  });

  it('links to the guides and the API reference in its main navigation', () => {
    for (const page of site.pages) {
      const [, navigation] = /<nav class="main-navigation"[^>]*>(.*?)<\/nav>/s.exec(htmlOf(page))!;
      const prefix = page.language === 'en' ? '' : '/es';
      const wanted = [`${prefix}/docs/api`, `${prefix}/docs/webhooks`, `${environment.apiUrl}/docs`];
      for (const href of wanted) expect(navigation, page.path).toContain(`href="${href}"`);
    }
  });

  it('links to /llms.txt before the navigation and the text', () => {
    for (const page of site.pages) {
      const html = htmlOf(page);
      expect(html.indexOf('href="/llms.txt"')).toBeGreaterThan(0);
      expect(html.indexOf('href="/llms.txt"')).toBeLessThan(html.indexOf('<nav'));
    }
  });

  it('contains a description of itself as JSON-LD', () => {
    for (const page of site.pages) {
      const [, text] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(htmlOf(page))!;
      const graph = JSON.parse(text!)['@graph'] as { '@type': string; url?: string }[];
      expect(graph.map(({ url }) => url)).toContain(`${baseUrl}${page.path}`);
    }
  });

  it('has its own Open Graph picture', () => {
    for (const page of site.pages) {
      const [, path] = / property="og:image" content="([^"]+)"/.exec(htmlOf(page))!;
      const object = site.manifest.objects.find(({ key }) => `${baseUrl}/${key}` === path);
      expect(object?.contentType).toBe('image/png');
    }
  });

  it('has a title and a description of its own in its language', () => {
    for (const language of languages) {
      const own = site.pages.filter((page) => page.language === language);
      for (const member of ['title', 'description'] as const) {
        expect(new Set(own.map((page) => page[member])).size).toBe(own.length);
      }
      for (const { description, path } of own) expect(description.length, path).toBeLessThanOrEqual(200);
    }
  });

  it('has no unfilled placeholder', () => {
    for (const page of site.pages) expect(page.markdown, page.path).not.toMatch(/\{\{[\w -]+\}\}/);
  });

  it('has no inline style or script, as its Content-Security-Policy requires', () => {
    for (const page of site.pages) {
      const html = htmlOf(page);
      expect(html).not.toMatch(/<style| style="| on\w+="/);
      expect(
        html.match(/<script(?! type="application\/ld\+json"| type="text\/markdown"| type="module" src=)/g),
      ).toBeNull();
    }
  });

  it('has less than 50 KB with its styles, and when compressed also with its fonts and script', () => {
    const assets = site.manifest.objects.filter(({ key }) => /^assets\/.*\.(css|js|woff2)$/.test(key));
    const style = assets.find(({ key }) => key.endsWith('.css'))!;
    const others = assets.reduce((sum, { key, bytes }) => {
      return sum + (key.endsWith('.woff2') ? bytes : gzipSync(site.read(key)).length);
    }, 0);
    for (const page of site.pages) {
      const html = Buffer.byteLength(htmlOf(page));
      expect(html + style.bytes, page.path).toBeLessThan(50_000);
      expect(gzipSync(htmlOf(page)).length + others, page.path).toBeLessThan(50_000);
    }
  });
});

describe('the recovery page', () => {
  const recovery = (): Page[] => site.pages.filter(({ kind }) => kind === 'recovery');

  it('is the only page that search engines must not list', () => {
    for (const page of site.pages) {
      expect(htmlOf(page).includes('<meta name="robots" content="noindex">')).toBe(page.kind === 'recovery');
    }
  });

  it('is the body of every 404: the same bytes below _errors, with the status in the metadata', () => {
    for (const { path } of recovery()) {
      for (const extension of ['html', 'md']) {
        const [own, answer] = ['pages', '_errors'].map((folder) =>
          site.manifest.objects.find(({ key }) => key === `${folder}${path}.${extension}`),
        );
        expect(answer?.sha256).toBe(own?.sha256);
        expect(answer?.metadata).toEqual({ 'edge-status': '404' });
        expect(own?.metadata).toEqual({});
      }
    }
  });

  it('embeds the markdown guide in its HTML', () => {
    for (const page of recovery()) expect(htmlOf(page)).toContain(twinOf(page));
  });
});
