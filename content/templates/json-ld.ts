/** Describes a page in the vocabulary of schema.org, as one JSON-LD graph. */
import type { Page } from '../site.ts';
import { ancestorsOf, pageAt, type SiteView } from './site-view.ts';

export function jsonLd(site: SiteView, page: Page): string {
  const graph = [website(site), main(site, page), ...breadcrumbs(site, page)];
  // An unescaped `<` in a title could end the script element.
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c');
}

function website({ environment: { baseUrl } }: SiteView): object {
  return {
    '@type': 'WebSite',
    '@id': `${baseUrl}/#site`,
    url: `${baseUrl}/`,
    name: 'Kinora',
    inLanguage: ['en', 'es'],
    publisher: { '@type': 'Organization', '@id': `${baseUrl}/#operator`, name: 'Kinora', url: `${baseUrl}/` },
  };
}

function main(site: SiteView, page: Page): object {
  const { baseUrl } = site.environment;
  const common = {
    '@id': `${baseUrl}${page.path}#page`,
    url: `${baseUrl}${page.path}`,
    name: page.title,
    description: page.description,
    inLanguage: page.language,
    dateModified: page.lastmod,
    isPartOf: { '@id': `${baseUrl}/#site` },
    image: `${baseUrl}${site.pictureOf(page)}`,
  };
  if (page.slug === '/') return { '@type': 'WebPage', ...common, mainEntity: software(baseUrl, page) };
  if (page.kind !== 'post')
    return { '@type': page.layout === 'index' ? 'CollectionPage' : 'WebPage', ...common };
  const author = { '@id': `${baseUrl}/#operator` };
  return { '@type': 'BlogPosting', ...common, headline: page.title, datePublished: page.date, author };
}

const software = (baseUrl: string, { description }: Page): object => ({
  '@type': 'SoftwareApplication',
  name: 'Kinora',
  description,
  applicationCategory: 'MultimediaApplication',
  operatingSystem: 'Linux, macOS, Windows',
  license: 'https://www.apache.org/licenses/LICENSE-2.0',
  url: `${baseUrl}/`,
});

function breadcrumbs(site: SiteView, page: Page): object[] {
  if (page.slug === '/') return [];
  const trail = [pageAt(site, '/', page.language), ...ancestorsOf(site, page), page];
  const itemListElement = trail.map(({ title, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: `${site.environment.baseUrl}${path}`,
  }));
  return [{ '@type': 'BreadcrumbList', itemListElement }];
}
