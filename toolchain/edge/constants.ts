/** The edge manifest of a site, and the constants that the functions use instead. */

import { siteProblems } from '../../content/problems.ts';
import type { SiteManifest } from '../../content/site.ts';
import { digestOf } from '../../edge/digest.ts';
import type { EdgeConstants, EdgeManifest } from '../../edge/manifest.ts';
import { siteNamedByCloudFront } from '../../lib/site/placeholders.ts';

/** Compressed variants of Markdown, and of other types that CloudFront does not compress. */
const codings = ['.br', '.gz'];

/**
 * @param accessTokenSha256 SHA-256, in hexadecimal, of the token that opens a preview environment. Viewers send the
 * token as the cookie `kinora-preview` or as the header `x-kinora-preview`. Without a token, the preview stays closed.
 */
export function edgeManifestOf(site: SiteManifest, accessTokenSha256 = ''): EdgeManifest {
  const { hosts } = site;
  const keys = new Set(site.objects.map(({ key }) => key));
  const languages = languagesOf(site);
  const manifest: EdgeManifest = {
    baseUrl: hosts.baseUrl === siteNamedByCloudFront ? '' : hosts.baseUrl,
    apiUrl: hosts.apiUrl,
    alternateHosts: hosts.alternateHosts,
    isPublic: hosts.isPublic,
    accessTokenSha256,
    slugs: slugsOf(site, languages),
    languages,
    resources: site.resources.map(({ path }) => path),
    encodedResources: site.resources.filter(({ encodings }) => encodings.length > 0).map(({ path }) => path),
    assets: [...keys].filter((key) => key.startsWith('assets/')).map((key) => `/${key}`),
    hasLocalErrors: languages.every((language) => keys.has(`_errors/${language}/404.html`)),
    titles: titles(),
  };
  requireKeys(site, manifest, keys);
  return manifest;
}

/** The language of the first page has no prefix. */
function languagesOf({ pages }: SiteManifest): string[] {
  const first = pages.find(({ path }) => path === '/')?.language;
  return [...new Set(pages.map(({ language }) => language))].filter((language) => language !== first);
}

function slugsOf({ pages }: SiteManifest, languages: readonly string[]): string[] {
  const paths = new Set(pages.map(({ path }) => path));
  const slugs = [...paths].filter(
    (path) => !languages.some((language) => path === `/${language}` || path.startsWith(`/${language}/`)),
  );
  const wanted = languages.flatMap((language) =>
    slugs.map((slug) => `/${language}${slug === '/' ? '' : slug}`),
  );
  const missing = wanted.filter((path) => !paths.has(path));
  if (missing.length > 0 || wanted.length + slugs.length !== paths.size) {
    throw new Error(`Every page needs its translations under the same slug; missing: ${missing.join(' ')}`);
  }
  return slugs;
}

/** The functions compute keys from paths. Every key that they can compute must exist, except assets. */
function requireKeys(site: SiteManifest, manifest: EdgeManifest, keys: ReadonlySet<string>): void {
  const encoded = (key: string) => [key, ...codings.map((coding) => key + coding)];
  const errors = manifest.hasLocalErrors
    ? ['', ...manifest.languages.map((language) => `${language}/`)]
    : [''];
  const wanted = [
    ...site.pages.flatMap(({ path }) => {
      const key = `pages${path === '/' ? '/index' : path}`;
      return [`${key}.html`, ...encoded(`${key}.md`)];
    }),
    ...errors.flatMap((folder) => [`_errors/${folder}404.html`, ...encoded(`_errors/${folder}404.md`)]),
    ...site.resources.flatMap(({ path, encodings }) =>
      encodings.length > 0 ? encoded(path.slice(1)) : [path.slice(1)],
    ),
  ];
  const missing = wanted.filter((key) => !keys.has(key));
  if (missing.length > 0)
    throw new Error(`The edge functions need objects that do not exist: ${missing.join(', ')}`);
}

const titles = () =>
  Object.fromEntries(
    Object.entries(siteProblems).map(([code, { title }]) => [code, title]),
  ) as EdgeManifest['titles'];

/**
 * Writes a list as one string. A look-up in a string finds only the entries, and takes no time at the start of the
 * function.
 */
const list = (entries: readonly string[]): string => ` ${[...entries].sort().join(' ')} `;

export function constantsOf(manifest: EdgeManifest): EdgeConstants {
  const { baseUrl, apiUrl, isPublic, accessTokenSha256, hasLocalErrors } = manifest;
  return {
    baseUrl,
    host: baseUrl === '' ? '' : new URL(baseUrl).host,
    apiUrl,
    alternateHosts: list(manifest.alternateHosts),
    isPublic,
    accessTokenSha256,
    slugs: list(manifest.slugs),
    // `(?!)` matches no text.
    languages: `^\\/(${manifest.languages.join('|') || '(?!)'})(?=\\/|$)`,
    resources: list(manifest.resources),
    encodedResources: list(manifest.encodedResources),
    assets: list(manifest.assets.map(digestOf)),
    hasLocalErrors,
    previewRestricted: manifest.titles.preview_restricted,
    pageNotFound: manifest.titles.page_not_found,
    noApiOnThisHost: manifest.titles.no_api_on_this_host,
    methodNotAllowed: manifest.titles.method_not_allowed,
    notAcceptable: manifest.titles.not_acceptable,
  };
}
