/** The site: its environments, its page model, and the manifest for the edge functions and the stack. */
import type { Availability } from './model/availability.ts';

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
const defaultLanguage: Language = 'en';

export interface SiteEnvironment {
  /** Name of the environment's file in `environments/`, or `local` on a laptop. */
  readonly name: string;
  /** Origin of this host, without a trailing slash. */
  readonly baseUrl: string;
  /** Origin of the product API, without `/v1`. */
  readonly apiUrl: string;
  /** Hosts that redirect to `baseUrl`. */
  readonly alternateHosts: readonly string[];
  /** Whether the environment is public. A preview answers only requests with its token. */
  readonly isPublic: boolean;
  readonly indexable: boolean;
  /** The address for `git clone`. Without it, the pages do not say where to get the source. */
  readonly repositoryUrl?: string;
  /** Domain of the e-mail addresses on /contact. */
  readonly mailDomain: string;
  /** Days for which access logs are kept. The stack deletes older logs, and the privacy policy states the number. */
  readonly accessLogDays: number;
}

/** The site of the local cloud. The sites of other environments come from their files. */
export const localSite: SiteEnvironment = {
  name: 'local',
  baseUrl: 'http://127.0.0.1:8788',
  apiUrl: 'http://127.0.0.1:8787',
  alternateHosts: [],
  isPublic: true,
  indexable: false,
  mailDomain: 'kinora.example',
  accessLogDays: 90,
};

export type PageKind = 'page' | 'guide' | 'feature' | 'use-case' | 'post' | 'recovery';

export type Layout = 'home' | 'index' | 'article';

/** A page as its author wrote it: front matter and markdown with placeholders. */
export interface PageSource {
  /** The path without the language, the same in both languages: `/`, `/blog/stl-in-2026`. */
  readonly slug: string;
  readonly language: Language;
  readonly kind: PageKind;
  readonly layout: Layout;
  /** Name in navigation, indexes and the title bar. */
  readonly title: string;
  readonly heading: string;
  /** First paragraph of the page, and its summary everywhere else. */
  readonly description: string;
  /** Operations that the page describes. Their availability decides the mark of the page. */
  readonly operations: readonly string[];
  /** Position among its siblings in an index. Posts are sorted by date. */
  readonly order: number;
  /** ISO date of publication; posts only. */
  readonly date: string | undefined;
  /** ISO date of the last change of the text. */
  readonly lastmod: string;
  readonly body: string;
}

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface Page extends Omit<PageSource, 'body'> {
  /** Whether all, some or none of the page's operations work; undefined if it names none. */
  readonly availability: Availability | undefined;
  /** The path, such as `/contact` or `/es/contact`. */
  readonly path: string;
  readonly twinPath: string;
  /** The twin: the whole page as GitHub-flavoured markdown with absolute links. */
  readonly markdown: string;
  /** Content of `<main>`: the same text as `markdown`. */
  readonly html: string;
  /** Second-level headings, for the table of contents. */
  readonly headings: readonly Heading[];
  readonly alternates: Readonly<Record<Language, string>>;
}

/** `/contact` in Spanish is `/es/contact`; the home page is `/es`. */
export function pathOf(slug: string, language: Language): string {
  if (language === defaultLanguage) return slug;
  return slug === '/' ? `/${language}` : `/${language}${slug}`;
}

/** The twin of `/` is `/index.md`. The twin of any other page has the path of the page with `.md` at the end. */
export const twinPathOf = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** Key of a page's object without its extension: `pages/index`, `pages/es/contact`. */
export const keyOf = (path: string): string => `pages${path === '/' ? '/index' : path}`;

export const isListed = (page: { readonly kind: PageKind }): boolean => page.kind !== 'recovery';

/** Content-Security-Policy of every HTML page. It does not restrict JSON-LD and the embedded recovery guide, because these are data blocks (CSP3 §6.1.11). */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const cacheControl = {
  page: 'public, max-age=0, must-revalidate, s-maxage=86400',
  asset: 'public, max-age=31536000, immutable',
} as const;

export interface SiteObject {
  readonly key: string;
  /** Path of the file, relative to the manifest's folder. */
  readonly file: string;
  readonly contentType: string;
  readonly contentEncoding?: 'br' | 'gzip';
  readonly contentLanguage?: Language;
  readonly cacheControl: string;
  /** `edge-status`: the status that the edge function sets on the response. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** `manifest.json`: everything that the edge functions, the deployment and the local cloud need to know. */
export interface SiteManifest {
  readonly environment: string;
  readonly hosts: {
    readonly baseUrl: string;
    readonly apiUrl: string;
    readonly host: string;
    readonly alternateHosts: readonly string[];
    readonly isPublic: boolean;
  };
  readonly pages: readonly ManifestPage[];
  /** Paths of files that are not pages. For these, Accept is ignored. Paths below `/assets/` are not listed, because they equal the key. */
  readonly resources: readonly ManifestResource[];
  readonly objects: readonly SiteObject[];
}

export interface ManifestPage {
  readonly path: string;
  readonly language: Language;
  readonly html: string;
  /** Key of the markdown, which also has `.br` and `.gz` variants. */
  readonly markdown: string;
  readonly title: string;
  readonly lastmod: string;
}

export interface ManifestResource {
  readonly path: string;
  readonly key: string;
  readonly contentType: string;
  /** The compressed variants, stored as `<key>.br` and `<key>.gz`. Empty for types that CloudFront compresses itself. */
  readonly encodings: readonly ('br' | 'gzip')[];
}
