/** A small site in the form of `npm run build:site`, so that tests of the edge do not depend on the content. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { SiteManifest, SiteObject } from '../../../content/site.ts';
import { writeEdge } from '../../../toolchain/edge/write.ts';
import { htmlType, markdownType } from './expectations.ts';

export interface Fixture {
  readonly folder: string;
  readonly manifest: SiteManifest;
}

export const accessToken = 'let-me-see-it';
export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

const slugs = ['/', '/404', '/blog', '/blog/stl-in-2026', '/contact', '/problems', '/constructors'];
const languages = ['en', 'es'] as const;
const pathOf = (slug: string, language: string) =>
  language === 'en' ? slug : `/es${slug === '/' ? '' : slug}`;
const keyOf = (path: string) => `pages${path === '/' ? '/index' : path}`;

const pageCache = 'public, max-age=0, must-revalidate, s-maxage=86400';
const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const resources = [
  { path: '/.well-known/api-catalog', contentType: catalogType, body: '{"linkset":[]}', isEncoded: true },
  { path: '/llms.txt', contentType: 'text/plain; charset=utf-8', body: '# Kinora\n', isEncoded: false },
  { path: '/v1/pages.json', contentType: 'application/json', body: '{"pages":[]}', isEncoded: false },
];

interface Draft extends Omit<SiteObject, 'file' | 'bytes' | 'sha256'> {
  readonly body: Buffer;
}

/** Long enough to be compressed. */
const filler = 'It ships subtitles. '.repeat(80);

function pageDrafts(slug: string, language: 'en' | 'es'): Draft[] {
  const path = pathOf(slug, language);
  const common = { cacheControl: pageCache, contentLanguage: language, metadata: {} };
  const guide =
    slug === '/404' ? `<meta name="robots" content="noindex"><pre># Where to look next</pre>` : '';
  const html = `<!doctype html><html lang="${language}"><title>${path}</title><p>${filler}${guide}`;
  const markdown = slug === '/404' ? `# Where to look next (${language})\n` : `# ${path}\n\n${filler}\n`;
  const draft = (ending: string, contentType: string, text: string): Draft => ({
    ...{ ...common, key: `${keyOf(path)}${ending}`, contentType, body: Buffer.from(text) },
  });
  const own = [draft('.html', htmlType, html), ...encoded(draft('.md', markdownType, markdown))];
  if (slug !== '/404') return own;
  const asError = { cacheControl: 'no-store', metadata: { 'edge-status': '404' } };
  return [
    ...own,
    ...own.map((draft) => ({ ...draft, ...asError, key: draft.key.replace('pages', '_errors') })),
  ];
}

const encoded = (draft: Draft): Draft[] => [
  draft,
  { ...draft, key: `${draft.key}.br`, contentEncoding: 'br', body: brotliCompressSync(draft.body) },
  { ...draft, key: `${draft.key}.gz`, contentEncoding: 'gzip', body: gzipSync(draft.body) },
];

function drafts(): Draft[] {
  const files = resources.flatMap(({ path, contentType, body, isEncoded }): Draft[] => {
    const common = { key: path.slice(1), contentType, cacheControl: pageCache, metadata: {} };
    const draft = { ...common, body: Buffer.from(body) };
    return isEncoded ? encoded(draft) : [draft];
  });
  const style = {
    key: 'assets/style-abc123.css',
    contentType: 'text/css; charset=utf-8',
    cacheControl: 'public, max-age=31536000, immutable',
    metadata: {},
    body: Buffer.from('body{color:black}'),
  };
  return [
    ...slugs.flatMap((slug) => languages.flatMap((language) => pageDrafts(slug, language))),
    ...files,
    style,
  ];
}

/**
 * Writes the site below the temporary folder and makes its edge functions.
 * @param accessTokenSha256 hex, of the token that opens it where it is not public
 */
export async function makeFixture(
  hosts: Partial<SiteManifest['hosts']> = {},
  { accessTokenSha256 = sha256(accessToken) } = {},
): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-edge-'));
  const objects = drafts().map(({ body, ...draft }): SiteObject => {
    const file = `objects/${draft.key}`;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), body);
    return { ...draft, file, bytes: body.length, sha256: sha256(body) };
  });
  const manifest: SiteManifest = {
    environment: 'prod',
    hosts: {
      baseUrl: 'https://kinora.example',
      apiUrl: 'https://api.kinora.example',
      host: 'kinora.example',
      alternateHosts: ['www.kinora.example'],
      isPublic: true,
      ...hosts,
    },
    pages: slugs.flatMap((slug) =>
      languages.map((language) => {
        const path = pathOf(slug, language);
        const key = keyOf(path);
        const lastmod = '2026-11-21';
        return { path, language, html: `${key}.html`, markdown: `${key}.md`, title: path, lastmod };
      }),
    ),
    resources: resources.map(({ path, contentType, isEncoded }) => ({
      path,
      key: path.slice(1),
      contentType,
      encodings: isEncoded ? (['br', 'gzip'] as const) : [],
    })),
    objects,
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeEdge({ folder, manifest, accessTokenSha256 });
  return { folder, manifest };
}
