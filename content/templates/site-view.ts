/** Facts about the whole site for templates and indexes. */

import { defined } from '../../shared/checked-access.ts';
import type { Assets } from '../output/assets.ts';
import type { Language, Page, SiteEnvironment } from '../site.ts';

export interface SiteView {
  readonly environment: SiteEnvironment;
  readonly pages: readonly Page[];
  readonly assets: Assets;
  /** Path of a page's Open Graph picture. */
  readonly pictureOf: (page: Page) => string;
}

/** The page with this slug and language. Throws if the page does not exist. */
export function pageAt(site: Pick<SiteView, 'pages'>, slug: string, language: Language): Page {
  const found = site.pages.find((page) => page.slug === slug && page.language === language);
  if (found === undefined) throw new Error(`no page ${slug} in ${language}`);
  return found;
}

export function ancestorsOf(site: Pick<SiteView, 'pages'>, page: Page): Page[] {
  const parents = page.slug.split('/').slice(1, -1);
  return parents.map((_, index) => pageAt(site, `/${parents.slice(0, index + 1).join('/')}`, page.language));
}

/** The previous and next page among its siblings: posts by date, others by order. */
export function neighboursOf(
  site: Pick<SiteView, 'pages'>,
  page: Page,
): { readonly previous: Page | undefined; readonly next: Page | undefined } {
  const hasSiblings = page.kind !== 'page' && page.kind !== 'recovery';
  const siblings = hasSiblings ? site.pages.filter((other) => areSiblings(other, page)).sort(bySequence) : [];
  const place = siblings.indexOf(page);
  return { previous: siblings[place - 1], next: place < 0 ? undefined : siblings[place + 1] };
}

const areSiblings = (a: Page, b: Page): boolean => a.kind === b.kind && a.language === b.language;

const bySequence = (a: Page, b: Page): number =>
  (a.date ?? '').localeCompare(b.date ?? '') || a.order - b.order;

/** Replacements that escape text for HTML and XML, in content and in attribute values. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => defined(entities[character]));
