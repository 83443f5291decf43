/** Classifies paths. Look-ups find only entries of the manifest's lists, never built-in members of objects. */
import { digestOf } from './digest.ts';

// Each list is used only once here, because the bundler inserts the whole list at every use.
const slugs = EDGE.slugs;
const languages = new RegExp(EDGE.languages);

/** Path of the API catalog (RFC 9727 §2), which is open on every host. */
export const catalog = '/.well-known/api-catalog';

const has = (list: string, entry: string): boolean =>
  entry.indexOf(' ') < 0 && list.indexOf(` ${entry} `) >= 0;

/** The maximum length of a path. Page names have at most a third of this length, because each character may be written as `%xx`. */
const LONGEST_NAME = 200;

/**
 * Collapses slashes and decodes unreserved characters (RFC 3986 §6.2.2.2), which does not change the meaning of the
 * path. Does not change dot segments and `%2F`. Never throws. The result always begins with one slash.
 */
export function normalise(uri: string): string {
  const isClean = uri.charAt(0) === '/' && uri.indexOf('//') < 0;
  const path = isClean ? uri : `/${uri}`.replace(/\/\/+/g, '/');
  if (path.indexOf('%') < 0) return path;
  const head = path.slice(0, LONGEST_NAME);
  return head.replace(/%[0-9a-f]{2}/gi, decodeUnreserved) + path.slice(LONGEST_NAME);
}

function decodeUnreserved(triplet: string): string {
  const character = String.fromCharCode(parseInt(triplet.slice(1), 16));
  return /[a-z0-9._~-]/i.test(character) ? character : triplet;
}

/** Returns the language in the prefix of the path; empty for the first language. */
export function languageOf(path: string): string {
  const match = languages.exec(path);
  return match ? match[1]! : '';
}

export function isPage(path: string): boolean {
  const language = languageOf(path);
  // `/es` is the Spanish home page, but `/es/` is not a page.
  if (language === '') return has(slugs, path);
  const slug = path.slice(language.length + 1);
  return slug !== '/' && has(slugs, slug || '/');
}

export const isAsset = (uri: string): boolean =>
  uri.indexOf('/assets/') === 0 && has(EDGE.assets, digestOf(uri));

/**
 * Whether the path has the form of an asset name (`site.N7BHYT4Z.css`). The origin keeps the assets of the previous
 * deployment.
 */
export const mayBeFormerAsset = (uri: string): boolean => /^\/assets\/[\w-]+\.\w{8}\.\w+$/.test(uri);

export const isResource = (path: string): boolean => has(EDGE.resources, path);
export const hasCompressedVariants = (path: string): boolean => has(EDGE.encodedResources, path);
export const isAlternateHost = (host: string): boolean => has(EDGE.alternateHosts, host);

export const twinOf = (page: string): string => (page === '/' ? '/index.md' : `${page}.md`);

/** Returns the page of this Markdown path, or undefined for any other path. */
export function pageOfTwin(path: string): string | undefined {
  if (!/\.md$/.test(path)) return undefined;
  const page = path === '/index.md' ? '/' : path.slice(0, -3);
  return isPage(page) && twinOf(page) === path ? page : undefined;
}

/** Returns the canonical path of the resource at this normalized path. Undefined if there is no such resource. */
export function canonicalOf(path: string): string | undefined {
  if (path.length > LONGEST_NAME) return undefined;
  const bare = path.replace(/(.)\/$/, '$1');
  if (isPage(bare) || isResource(bare) || pageOfTwin(bare)) return bare;
  const parts = /^(.*?)(\/index)?\.(html|md)$/.exec(bare);
  if (!parts || parts[1] === '/' || !(parts[1] || parts[2])) return undefined;
  const page = parts[1] || '/';
  if (!isPage(page)) return undefined;
  if (parts[3] === 'html') return page;
  return parts[2] ? twinOf(page) : undefined;
}

/** Returns the URI of a page's object without its extension: `/pages/index`, `/pages/es/contact`. */
export const pageObject = (page: string): string => `/pages${page === '/' ? '/index' : page}`;

/** Returns the URI of the 404 document without its extension, in the language of the path. */
export function errorObject(path: string): string {
  const language = EDGE.hasLocalErrors ? languageOf(path) : '';
  return `/_errors/${language === '' ? '' : `${language}/`}404`;
}
