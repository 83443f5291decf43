/** Which path means what. Only entries of the manifest's lists are found, never a member of every object. */
import { digestOf } from './digest.ts';

// Once each: the bundler writes the whole list wherever it is named.
const slugs = EDGE.slugs;
const languages = new RegExp(EDGE.languages);

/** Path of the API catalog (RFC 9727 §2), which is open on every host. */
export const catalog = '/.well-known/api-catalog';

const has = (list: string, entry: string): boolean =>
  entry.indexOf(' ') < 0 && list.indexOf(` ${entry} `) >= 0;

/** Characters of a path that are looked at; a page's name has a third of it, each written as `%xx`. */
const LONGEST_NAME = 200;

/**
 * Collapses slashes and decodes unreserved characters (RFC 3986 §6.2.2.2), which does not change the meaning. Dot
 * segments and `%2F` stay. Never throws. The result always begins with one slash.
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

/** The language that a path's prefix names; empty for the first language. */
export function languageOf(path: string): string {
  const match = languages.exec(path);
  return match ? match[1]! : '';
}

export function isPage(path: string): boolean {
  const language = languageOf(path);
  // `/es` is the Spanish home page, `/es/` nothing.
  if (language === '') return has(slugs, path);
  const slug = path.slice(language.length + 1);
  return slug !== '/' && has(slugs, slug || '/');
}

export const isAsset = (uri: string): boolean =>
  uri.indexOf('/assets/') === 0 && has(EDGE.assets, digestOf(uri));

/** Whether it is named as assets are (`site.N7BHYT4Z.css`): the origin keeps those of the deployment before. */
export const mayBeFormerAsset = (uri: string): boolean => /^\/assets\/[\w-]+\.\w{8}\.\w+$/.test(uri);

export const isResource = (path: string): boolean => has(EDGE.resources, path);
export const isEncodedResource = (path: string): boolean => has(EDGE.encodedResources, path);
export const isAlternateHost = (host: string): boolean => has(EDGE.alternateHosts, host);

/** `/` has its twin at `/index.md`, any other page at its path + `.md`. */
export const twinOf = (page: string): string => (page === '/' ? '/index.md' : `${page}.md`);

/** The page whose markdown twin this is, or undefined. */
export function pageOfTwin(path: string): string | undefined {
  if (!/\.md$/.test(path)) return undefined;
  const page = path === '/index.md' ? '/' : path.slice(0, -3);
  return isPage(page) && twinOf(page) === path ? page : undefined;
}

/** The path under which what this normalised path means is served, or undefined where it means nothing. */
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

/** URI of a page's object without its extension: `/pages/index`, `/pages/es/contact`. */
export const pageObject = (page: string): string => `/pages${page === '/' ? '/index' : page}`;

/** URI of the 404 document without its extension, in the language of the path. */
export function errorObject(path: string): string {
  const language = EDGE.hasLocalErrors ? languageOf(path) : '';
  return `/_errors/${language === '' ? '' : `${language}/`}404`;
}
