/** Computes the constants of the edge functions from the manifest of a site. */
import { siteProblems } from '../../content/problems.ts';
import { keyOf, type SiteManifest } from '../../content/site.ts';
import { digestOf } from '../../edge/digest.ts';
import type { EdgeConstants } from '../../edge/manifest.ts';
import { siteNamedByCloudFront } from '../../lib/site/placeholders.ts';

/** The suffixes of compressed variants. Markdown and other types have them, because CloudFront does not compress these types. */
const codings = ['.br', '.gz'];

/**
 * @param accessTokenSha256 SHA-256, in hexadecimal, of the token that opens a preview environment. Viewers send the
 * token as the cookie `kinora-preview` or as the header `x-kinora-preview`. Without a token, the preview stays closed.
 */
export function edgeConstantsOf(site: SiteManifest, accessTokenSha256 = ''): EdgeConstants {
  const { hosts, resources } = site;
  const keys = new Set(site.objects.map(({ key }) => key));
  const languages = languagesOf(site);
  const slugs = slugsOf(site, languages);
  const hasLocalErrors = languages.every((language) => keys.has(`_errors/${language}/404.html`));
  requireKeys(site, hasLocalErrors ? ['', ...languages.map((language) => `${language}/`)] : [''], keys);
  const baseUrl = hosts.baseUrl === siteNamedByCloudFront ? '' : hosts.baseUrl;
  return {
    baseUrl,
    host: baseUrl === '' ? '' : new URL(baseUrl).host,
    apiUrl: hosts.apiUrl,
    alternateHosts: list(hosts.alternateHosts),
    isPublic: hosts.isPublic,
    accessTokenSha256,
    slugs: list(slugs),
    languages: prefixes(languages),
    resources: list(resources.map(({ path }) => path)),
    encodedResources: list(resources.filter(({ encodings }) => encodings.length > 0).map(({ path }) => path)),
    assets: list([...keys].filter((key) => key.startsWith('assets/')).map((key) => digestOf(`/${key}`))),
    hasLocalErrors,
    previewRestricted: siteProblems.preview_restricted.title,
    pageNotFound: siteProblems.page_not_found.title,
    noApiOnThisHost: siteProblems.no_api_on_this_host.title,
    methodNotAllowed: siteProblems.method_not_allowed.title,
    notAcceptable: siteProblems.not_acceptable.title,
  };
}

/** Writes a list as one string. A search in a string needs no preparation when the function starts. */
export const list = (entries: readonly string[]): string => ` ${[...entries].sort().join(' ')} `;

/** The pattern of the prefixes of languages. `(?!)` matches no text. */
export const prefixes = (languages: readonly string[]): string =>
  `^\\/(${languages.join('|') || '(?!)'})(?=\\/|$)`;

/** Returns the languages with a prefix: all except that of the home page. */
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

/** Throws if a key is missing. The functions compute keys from paths. Every key that they can compute must exist, except keys of assets. */
function requireKeys(site: SiteManifest, errorFolders: readonly string[], keys: ReadonlySet<string>): void {
  const encoded = (key: string) => [key, ...codings.map((coding) => key + coding)];
  const wanted = [
    ...site.pages.flatMap(({ path }) => [`${keyOf(path)}.html`, ...encoded(`${keyOf(path)}.md`)]),
    ...errorFolders.flatMap((folder) => [`_errors/${folder}404.html`, ...encoded(`_errors/${folder}404.md`)]),
    ...site.resources.flatMap(({ path, encodings }) =>
      encodings.length > 0 ? encoded(path.slice(1)) : [path.slice(1)],
    ),
  ];
  const missing = wanted.filter((key) => !keys.has(key));
  if (missing.length > 0)
    throw new Error(`The edge functions need objects that do not exist: ${missing.join(', ')}`);
}
