/** All objects of the site with their headers, as S3 stores them. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  apiCatalog,
  blogJson,
  catalogContentType,
  pagesJson,
  problemsJson,
  siteJson,
} from '../indexes/json.ts';
import { openApi } from '../indexes/openapi.ts';
import { llmsFullTxt, llmsTxt, robotsTxt, securityTxt, sitemapXml } from '../indexes/text.ts';
import { cacheControl, keyOf, type ManifestResource, type Page, type SiteObject } from '../site.ts';
import { htmlDocument } from '../templates/document.ts';
import type { SiteView } from '../templates/site-view.ts';
import type { Asset } from './assets.ts';
import { type Cache, sha256 } from './write.ts';

export interface Draft extends Pick<SiteObject, 'key' | 'contentType' | 'cacheControl' | 'metadata'> {
  readonly contentEncoding?: 'br' | 'gzip';
  readonly contentLanguage?: Page['language'];
  readonly body: Buffer;
}

/** Whether to store compressed variants: for types that CloudFront does not compress itself, unlike HTML, CSS and JSON. */
const needsVariants = ({ contentType }: Draft): boolean =>
  /^(text\/markdown|application\/linkset)/.test(contentType);

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
  xml: 'application/xml; charset=utf-8',
} as const;

export function indexFiles(site: SiteView, now: Date): (Draft & { readonly path: string })[] {
  const json = (path: string, value: object) => file(path, types.json, `${JSON.stringify(value)}\n`);
  const text = (path: string, value: string) => file(path, types.text, value);
  return [
    file('/.well-known/api-catalog', catalogContentType, `${JSON.stringify(apiCatalog(site), null, 2)}\n`),
    text('/.well-known/security.txt', securityTxt(site, now)),
    text('/llms.txt', llmsTxt(site)),
    text('/llms-full.txt', llmsFullTxt(site)),
    text('/robots.txt', robotsTxt(site)),
    file('/sitemap.xml', types.xml, sitemapXml(site)),
    json('/v1/pages.json', pagesJson(site)),
    json('/v1/blog.json', blogJson(site)),
    json('/v1/problems.json', problemsJson(site)),
    json('/v1/site.json', siteJson(site)),
    json('/v1/openapi.json', openApi(site)),
  ];
}

const file = (path: string, contentType: string, body: string) => ({
  path,
  key: path.slice(1),
  contentType,
  cacheControl: cacheControl.page,
  metadata: {},
  body: Buffer.from(body),
});

/** The two representations of a page. The page `/404` also becomes the body of every answer 404. */
export function pageObjects(site: SiteView, page: Page): Draft[] {
  const common = { cacheControl: cacheControl.page, contentLanguage: page.language, metadata: {} };
  const html = { ...common, contentType: types.html, body: Buffer.from(htmlDocument(site, page)) };
  const markdown = { ...common, contentType: types.markdown, body: Buffer.from(page.markdown) };
  const key = keyOf(page.path);
  const own = [
    { ...html, key: `${key}.html` },
    { ...markdown, key: `${key}.md` },
  ];
  if (page.kind !== 'recovery') return own;
  const asAnswer = { cacheControl: 'no-store', metadata: { 'edge-status': '404' } };
  return [
    ...own,
    ...own.map((draft) => ({ ...draft, ...asAnswer, key: draft.key.replace(/^pages/, '_errors') })),
  ];
}

export const assetObject = ({ path, contentType, body }: Asset): Draft => ({
  key: path.slice(1),
  contentType,
  cacheControl: cacheControl.asset,
  metadata: {},
  body,
});

/** The object, plus `<key>.br` and `<key>.gz` if the CDN would send it uncompressed. */
export async function withVariants(draft: Draft, cache: Cache): Promise<Draft[]> {
  if (!needsVariants(draft)) return [draft];
  const digest = sha256(draft.body);
  const [br, gz] = await Promise.all([
    cache.get('br', [digest], () => brotli(draft.body)),
    cache.get('gz', [digest], () => promisify(gzip)(draft.body, { level: 9 })),
  ]);
  return [
    draft,
    { ...draft, key: `${draft.key}.br`, contentEncoding: 'br', body: br },
    { ...draft, key: `${draft.key}.gz`, contentEncoding: 'gzip', body: gz },
  ];
}

const brotli = (body: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

export const resourceOf = (draft: Draft & { readonly path: string }): ManifestResource => ({
  path: draft.path,
  key: draft.key,
  contentType: draft.contentType,
  encodings: needsVariants(draft) ? ['br', 'gzip'] : [],
});
