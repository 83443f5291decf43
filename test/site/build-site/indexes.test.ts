import { describe, expect, it } from 'vitest';
import { plannedOf } from '../../../content/model/availability.ts';
import { siteProblems } from '../../../content/problems.ts';
import { languages, type Page } from '../../../content/site.ts';
import { operations } from '../../../contract/index.ts';
import { jobErrors, problems } from '../../../contract/kit/errors.ts';
import { builtSite, environment, now } from './built.ts';

const { baseUrl, apiUrl } = environment;

const site = await builtSite();

interface PageEntry {
  readonly url: string;
  readonly markdown_url: string;
  readonly alternates: Record<string, string>;
}

const pageEntries = (): PageEntry[] => site.readJson<{ pages: PageEntry[] }>('v1/pages.json').pages;
const keyOfUrl = (url: string): string => {
  const path = url.slice(baseUrl.length);
  return site.manifest.pages.find((page) => page.path === path)?.html ?? `pages${path}`;
};

describe('the lists of pages', () => {
  it('are the same set in pages.json, sitemap.xml and llms.txt', () => {
    const inPages = pageEntries().map(({ url }) => url);
    const inSitemap = [...site.read('sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
    const twins = [...site.read('llms.txt').matchAll(/^- \[.*?\]\((.*?)\): /gm)].map(([, url]) => url);

    expect(new Set(inSitemap)).toEqual(new Set(inPages));
    expect(new Set(twins)).toEqual(new Set(pageEntries().map(({ markdown_url }) => markdown_url)));
    expect(inSitemap).toHaveLength(inPages.length);
    expect(twins).toHaveLength(inPages.length);
  });

  it('name every page except the recovery page, which is not listed', () => {
    const listed = new Set(pageEntries().map(({ url }) => url));
    const missing = site.manifest.pages.filter(({ path }) => !listed.has(`${baseUrl}${path}`));
    expect(missing.map(({ path }) => path)).toEqual(['/404', '/es/404']);
  });

  it('link to objects that exist, as HTML and as markdown', () => {
    const keys = new Set(site.manifest.objects.map(({ key }) => key));
    for (const { url, markdown_url, alternates } of pageEntries()) {
      expect(keys).toContain(keyOfUrl(url));
      expect(keys).toContain(`pages${markdown_url.slice(baseUrl.length)}`);
      for (const alternate of Object.values(alternates)) expect(keys).toContain(keyOfUrl(alternate));
    }
  });

  it('contain six posts in each language in blog.json, newest first', () => {
    const { posts } = site.readJson<{ posts: { slug: string; language: string; published: string }[] }>(
      'v1/blog.json',
    );
    for (const language of languages) {
      const own = posts.filter((post) => post.language === language);
      expect(new Set(own.map(({ slug }) => slug)).size).toBe(6);
      const dates = own.map(({ published }) => published);
      expect(dates).toEqual([...new Set(dates)].sort().reverse());
    }
  });
});

describe('the status of features, working or planned,', () => {
  const features = () => site.pages.filter(({ kind }) => kind === 'feature');
  const words = { works: ['Works today', 'Funciona hoy'], partly: ['Works in part', 'Funciona en parte'] };
  const wordOf = ({ availability, language }: Page): string => {
    const [english, spanish] = { ...words, planned: ['Planned', 'Previsto'] }[availability!];
    return (language === 'en' ? english : spanish)!;
  };

  it('is shown on the page of every feature and in the index of features', () => {
    expect(features()).toHaveLength(18);
    for (const page of features()) {
      const mark = `<span class="mark ${page.availability}">${wordOf(page)}</span>`;
      expect(site.read(`pages${page.path}.html`)).toContain(`<p>${mark}`);
      const index = site.read(page.language === 'en' ? 'pages/features.html' : 'pages/es/features.html');
      expect(index).toContain(`<a href="${page.path}">${page.title}</a></strong> ${mark}`);
    }
  });

  it('is shown for every feature in llms.txt and in pages.json', () => {
    const entries = site.readJson<{ pages: { url: string; availability?: string; description: string }[] }>(
      'v1/pages.json',
    ).pages;
    for (const page of features()) {
      expect(site.read('llms.txt')).toContain(`(${baseUrl}${page.twinPath}): ${wordOf(page)}. `);
      expect(entries.find(({ url }) => url === `${baseUrl}${page.path}`)?.availability).toBe(
        page.availability,
      );
    }
    expect(entries.find(({ url }) => url === `${baseUrl}/contact`)).not.toHaveProperty('availability');
  });

  it('is in the description of every planned page, for indexes without the page', () => {
    for (const page of site.pages.filter(({ availability }) => availability === 'planned')) {
      const html = site.read(`pages${page.path}.html`);
      expect(html).toContain(`<meta name="description" content="${wordOf(page)}. `);
    }
  });

  it('includes every operation that answers 501 in llms.txt', () => {
    const [line] = /^- These operations are planned: .*$/m.exec(site.read('llms.txt'))!;
    for (const { method, path } of plannedOf()) expect(line).toContain(`\`${method} ${path}\``);
  });
});

describe('problems.json', () => {
  it('has every code of both hosts and of jobs, with a type that is an anchor of /problems', () => {
    const listed = site.readJson<{ problems: { code: string; type: string }[] }>('v1/problems.json').problems;
    const codes = [siteProblems, problems, jobErrors].flatMap((registry) => Object.keys(registry));
    expect(new Set(listed.map(({ code }) => code))).toEqual(new Set(codes));
    for (const { code, type } of listed) {
      expect(type).toBe(`${baseUrl}/problems#${code.replaceAll('_', '-')}`);
      for (const key of ['pages/problems.html', 'pages/es/problems.html']) {
        expect(site.read(key)).toContain(`<h3 id="${type.split('#')[1]}">`);
      }
    }
  });
});

describe('the API catalog', () => {
  interface Target {
    readonly href: string;
    readonly type?: string;
    readonly title?: string;
  }
  type Context = { readonly anchor: string } & Record<string, Target[]>;

  const catalog = () => site.readJson<{ linkset: Context[] }>('.well-known/api-catalog');

  it('has linkset as its only member, and arrays of targets as relations (RFC 9264 §4.2)', () => {
    expect(Object.keys(catalog())).toEqual(['linkset']);
    for (const { anchor, ...relations } of catalog().linkset) {
      expect(URL.canParse(anchor as string)).toBe(true);
      for (const [relation, targets] of Object.entries(relations)) {
        expect(relation).toMatch(/^[a-z][a-z0-9.-]*$/);
        expect(Array.isArray(targets)).toBe(true);
        for (const { href, type } of targets) {
          expect(new URL(href).origin).toMatch(/^https?:/);
          expect(type).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
        }
      }
    }
  });

  it('describes both APIs with service-desc, service-doc and service-meta (RFC 9727)', () => {
    expect(catalog().linkset.map(({ anchor }) => anchor)).toEqual([`${baseUrl}/`, `${apiUrl}/`]);
    for (const context of catalog().linkset) {
      for (const relation of ['service-desc', 'service-doc', 'service-meta']) {
        expect(context[relation]).toHaveLength(1);
      }
    }
  });
});

describe('site.json', () => {
  interface Policies {
    readonly api: {
      readonly rate_limits: {
        readonly enforced: boolean;
        readonly throttling: { readonly statuses: number[] };
      };
      readonly deprecation_policy: {
        readonly notice_days: number;
        readonly headers: { specification: string }[];
      };
    };
  }

  it('says that no per-client limit is enforced and that the CDN can throttle', () => {
    const { rate_limits } = site.readJson<Policies>('v1/site.json').api;
    expect(rate_limits).toMatchObject({ enforced: false, headers: [] });
    expect(rate_limits.throttling.statuses).toEqual([429, 503]);
  });

  it('announces the end of an API version 180 days before, with Deprecation and Sunset', () => {
    const { deprecation_policy } = site.readJson<Policies>('v1/site.json').api;
    expect(deprecation_policy.notice_days).toBe(180);
    expect(deprecation_policy.headers.map(({ specification }) => specification)).toEqual([
      'RFC 9745',
      'RFC 8594',
    ]);
  });
});

describe('a client that reads only the site', () => {
  const states = ['created', 'uploading', 'processing', 'ready', 'failed'];
  const told = (): [name: string, text: string][] =>
    ['llms.txt', 'pages/developers.md', 'pages/es/developers.md'].map((key) => [key, site.read(key)]);

  it('can find the states of an asset after its upload, and the address of its subtitles', () => {
    for (const [name, text] of told()) {
      const places = states.map((status) => text.indexOf(`\`${status}\``));
      expect(places, name).toEqual([...places].sort((a, b) => a - b));
      expect(places[0], name).toBeGreaterThan(0);
      const ends = ['/start_upload', '/finish_upload', '/transcriptions', '/{transcription_id}/vtt', '/srt'];
      for (const end of ends) expect(text, name).toContain(`${end}\``);
    }
  });

  it('can find the states of assets', () => {
    const getAsset = operations.find(({ spec }) => spec.id === 'getAsset')!.spec;
    const { properties } = getAsset.responses[200]!.body as { properties?: { status?: { enum?: string[] } } };
    expect(properties?.status?.enum).toEqual(expect.arrayContaining(states));
  });

  it('finds only paths that the API has', () => {
    const paths = new Set(operations.map(({ spec }) => spec.path as string));
    for (const [name, text] of told()) {
      const named = [...text.matchAll(/`(?:[A-Z]+ )?(\/v1\/(?:assets|webhooks|events)[^`?]*)`/g)];
      expect(named.length).toBeGreaterThan(4);
      for (const [, path] of named) expect(paths, name).toContain(path);
    }
  });
});

describe('the text files', () => {
  it('allow crawlers, and state the permitted uses of the content', () => {
    expect(site.read('robots.txt')).toMatch(/^Content-Signal: search=yes, ai-input=yes, ai-train=yes$/m);
    expect(site.read('robots.txt')).toContain(`Sitemap: ${baseUrl}/sitemap.xml`);
  });

  it('include a security.txt that expires within a year of the build (RFC 9116 §2.5.5)', () => {
    const expires = new Date(/^Expires: (.*)$/m.exec(site.read('.well-known/security.txt'))![1]!);
    const days = (expires.getTime() - now.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(180);
    expect(days).toBeLessThan(365);
  });

  it('contain every listed English page in llms-full.txt', () => {
    const full = site.read('llms-full.txt');
    const english = site.pages.filter(({ language, kind }) => language === 'en' && kind !== 'recovery');
    for (const { markdown } of english) expect(full).toContain(markdown.trim());
  });
});
