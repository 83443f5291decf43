/** What the site is: its environments, its page model and the manifest that the edge and the stack read. */
import type { Availability } from './model/availability.ts';

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = 'en';

export interface SiteEnvironment {
  /** As its file in `environments/` is called; `local` on a laptop. */
  readonly name: string;
  /** Origin of this host, without a trailing slash. */
  readonly baseUrl: string;
  /** Origin of the product API, without `/v1`. */
  readonly apiUrl: string;
  /** Hosts that answer one redirect to `baseUrl`. */
  readonly alternateHosts: readonly string[];
  /** Whether everyone may read this environment; a preview answers only whoever has access. */
  readonly isPublic: boolean;
  /** Whether search engines may list this environment. */
  readonly indexable: boolean;
  /** What `git clone` takes. Without one the pages say that commands run inside of a clone, and not where to get it. */
  readonly repositoryUrl?: string;
  /** Domain of the addresses on /contact. */
  readonly mailDomain: string;
  /** Days for which access logs are kept; the stack's lifecycle rule holds it, the privacy policy states it. */
  readonly accessLogDays: number;
}

/** The site of the local cloud; that of any other environment follows from its file. */
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

/** Part of the site that a page belongs to. */
export type PageKind = 'page' | 'guide' | 'feature' | 'use-case' | 'post' | 'recovery';

/** How the document lays the page out. */
export type Layout = 'home' | 'index' | 'article';

/** A page as its author wrote it: front matter and markdown, before anything is filled in. */
export interface PageSource {
  /** Path without the language, equal in both: `/`, `/blog/stl-in-2026`. */
  readonly slug: string;
  readonly language: Language;
  readonly kind: PageKind;
  readonly layout: Layout;
  /** Name in navigation, indexes and the title bar. */
  readonly title: string;
  /** Heading of the page, where it differs from its title. */
  readonly heading: string;
  /** First paragraph of the page, and its summary everywhere else. */
  readonly description: string;
  /** Operations of the contract that the page rests on: whether they work decides how it is marked. */
  readonly operations: readonly string[];
  /** Place among its siblings in an index; posts go by date. */
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

/** A page of the model: every representation and every index is written from this. */
export interface Page extends Omit<PageSource, 'body'> {
  /** How much works of the operations that the page rests on; undefined where it rests on none. */
  readonly availability: Availability | undefined;
  /** `/contact`, `/es/contact`. */
  readonly path: string;
  /** Path of the markdown twin. */
  readonly twinPath: string;
  /** The twin: the whole page as GitHub-flavoured markdown, links absolute. */
  readonly markdown: string;
  /** Inside of `<main>`: the same text as `markdown`. */
  readonly html: string;
  /** Second-level headings, for the table of contents. */
  readonly headings: readonly Heading[];
  /** The same page in each language. */
  readonly alternates: Readonly<Record<Language, string>>;
}

/** `/contact` in Spanish is `/es/contact`; the home page is `/es`. */
export function pathOf(slug: string, language: Language): string {
  if (language === defaultLanguage) return slug;
  return slug === '/' ? `/${language}` : `/${language}${slug}`;
}

/** `/` has its twin at `/index.md`, any other page at its path + `.md`. */
export const twinPathOf = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** Key of a page's object without its extension: `pages/index`, `pages/es/contact`. */
export const keyOf = (path: string): string => `pages${path === '/' ? '/index' : path}`;

/** Pages that search engines, sitemaps and indexes list. */
export const isListed = (page: { readonly kind: PageKind }): boolean => page.kind !== 'recovery';

/**
 * Content-Security-Policy of every HTML page. JSON-LD and the embedded recovery guide are data blocks, which
 * CSP3 §6.1.11 leaves alone.
 */
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

/** One S3 object. */
export interface SiteObject {
  readonly key: string;
  /** Relative to the manifest's folder. */
  readonly file: string;
  readonly contentType: string;
  readonly contentEncoding?: 'br' | 'gzip';
  readonly contentLanguage?: Language;
  readonly cacheControl: string;
  /** `edge-status`: the status that the edge function gives the answer. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** `manifest.json`: all that the edge functions, the deployment and the emulator need to know. */
export interface SiteManifest {
  readonly environment: string;
  readonly hosts: {
    readonly baseUrl: string;
    readonly apiUrl: string;
    readonly host: string;
    readonly alternateHosts: readonly string[];
    /** Whether the host is open to everyone. */
    readonly isPublic: boolean;
  };
  readonly pages: readonly ManifestPage[];
  /** Paths that are no pages and ignore Accept. Those under `/assets/` are found by their keys instead. */
  readonly resources: readonly ManifestResource[];
  readonly objects: readonly SiteObject[];
}

export interface ManifestPage {
  readonly path: string;
  readonly language: Language;
  /** Keys of the two representations; the markdown has `.br` and `.gz` variants beside it. */
  readonly html: string;
  readonly markdown: string;
  readonly title: string;
  readonly lastmod: string;
}

export interface ManifestResource {
  readonly path: string;
  readonly key: string;
  readonly contentType: string;
  /** Encoded variants beside the key, as `<key>.br` and `<key>.gz`: types that CloudFront leaves alone. */
  readonly encodings: readonly ('br' | 'gzip')[];
}
