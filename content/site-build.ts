/** Builds the site of one environment: `build/site/<env>/objects` and `manifest.json`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../shared/checked-access.ts';
import { makePages } from './model/pages.ts';
import { readSources } from './model/sources.ts';
import { type Asset, makeAssets, namedAsset } from './output/assets.ts';
import {
  assetObject,
  type Draft,
  indexFiles,
  pageObjects,
  resourceOf,
  withVariants,
} from './output/objects.ts';
import { openStudio } from './output/pictures.ts';
import { type Cache, openCache, writeFolder, writeIfChanged } from './output/write.ts';
import {
  keyOf,
  type ManifestPage,
  type Page,
  type SiteEnvironment,
  type SiteManifest,
  type SiteObject,
} from './site.ts';
import { pageAt, type SiteView } from './templates/site-view.ts';

interface BuildOptions {
  readonly environment: SiteEnvironment;
  readonly folder: string;
  readonly now: Date;
  /** The folder for cached results. Default: the environment's own folder. */
  readonly cacheFolder?: string;
  /** The folder of the pages. Default: `content/pages`. */
  readonly pagesFolder?: string;
}

interface BuildResult {
  readonly manifest: SiteManifest;
  readonly pages: readonly Page[];
  /** The keys of objects whose bytes differ from those of the last build. */
  readonly changed: readonly string[];
  /** The keys of objects that the last build contained, but this build does not. */
  readonly removed: readonly string[];
}

export async function buildSite(options: BuildOptions): Promise<BuildResult> {
  const { environment, folder, now } = options;
  const cache = openCache(options.cacheFolder ?? join(folder, 'cache'));
  const pages = await makePages(readSources(options.pagesFolder), environment, cache);
  const [assets, pictures] = await Promise.all([makeAssets(cache), makePictures(pages, folder, cache)]);
  const site: SiteView = {
    environment,
    pages,
    assets,
    pictureOf: (page) => defined(pictures.get(page)).path,
  };

  const indexes = indexFiles(site, now);
  const drafts = [
    ...pages.flatMap((page) => pageObjects(site, page)),
    ...indexes,
    ...[...assets.files, ...pictures.values()].map(assetObject),
  ];
  const objects = (await Promise.all(drafts.map((draft) => withVariants(draft, cache)))).flat();
  const manifest: SiteManifest = {
    environment: environment.name,
    hosts: hostsOf(environment),
    pages: pages.map(manifestPage),
    resources: indexes.map(resourceOf),
    objects: objects.map(objectOf),
  };
  const files = new Map(objects.map(({ key, body }) => [key, body]));
  const written = writeFolder(join(folder, 'objects'), files);
  writeIfChanged(join(folder, 'manifest.json'), Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
  cache.prune();
  return { manifest, pages, ...written };
}

/** Draws a picture only for pages with a new text, because drawing is slow. */
async function makePictures(pages: readonly Page[], folder: string, cache: Cache): Promise<Map<Page, Asset>> {
  const code = readFileSync(join(import.meta.dirname, 'output/pictures.ts'), 'utf8');
  let studio: ReturnType<typeof openStudio> | undefined;
  const pictures = pages.map(async (page) => {
    const text = { title: page.title, label: labelOf(pages, page) };
    const png = await cache.get('png', [code, JSON.stringify(text)], async () => {
      studio ??= openStudio(join(folder, 'fonts'));
      return (await studio)(text);
    });
    const stem = ['card', page.language, ...page.slug.split('/').filter(Boolean)].join('-');
    return [page, namedAsset(stem, 'png', png)] as const;
  });
  return new Map(await Promise.all(pictures));
}

function labelOf(pages: readonly Page[], { slug, language }: Page): string {
  const [, parent, child] = slug.split('/');
  return child === undefined ? '' : pageAt({ pages }, `/${parent}`, language).title;
}

function hostsOf(environment: SiteEnvironment): SiteManifest['hosts'] {
  const { baseUrl, apiUrl, alternateHosts, isPublic } = environment;
  return { baseUrl, apiUrl, host: new URL(baseUrl).host, alternateHosts, isPublic };
}

const manifestPage = ({ path, language, title, lastmod }: Page): ManifestPage => ({
  path,
  language,
  html: `${keyOf(path)}.html`,
  markdown: `${keyOf(path)}.md`,
  title,
  lastmod,
});

function objectOf({ body, ...draft }: Draft): SiteObject {
  const { key, contentType, contentEncoding, contentLanguage, metadata } = draft;
  return {
    key,
    file: `objects/${key}`,
    contentType,
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    ...(contentLanguage === undefined ? {} : { contentLanguage }),
    cacheControl: draft.cacheControl,
    metadata,
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
  };
}
