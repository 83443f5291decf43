/** Writes the `<head>` of a page: its titles, links to related pages, and pictures. */
import { pictureSize } from '../output/pictures.ts';
import { languages, type Page } from '../site.ts';
import { jsonLd } from './json-ld.ts';
import { escaped, type SiteView } from './site-view.ts';
import { strings } from './strings.ts';

export function head(site: SiteView, page: Page): string {
  return [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(titleOf(page))}</title>`,
    ...metaTags(site, page),
    ...links(site, page),
    `<script type="application/ld+json">${jsonLd(site, page)}</script>`,
    `<script type="module" src="${site.assets.script}"></script>`,
  ].join('\n');
}

const titleOf = ({ slug, title }: Page): string => (slug === '/' ? title : `${title} · Kinora`);

function metaTags(site: SiteView, page: Page): string[] {
  const { baseUrl } = site.environment;
  const named: Record<string, string> = {
    description: page.description,
    'color-scheme': 'light dark',
    'twitter:card': 'summary_large_image',
    ...(page.kind === 'recovery' ? { robots: 'noindex' } : {}),
  };
  const openGraph: Record<string, string> = {
    'og:site_name': 'Kinora',
    'og:type': page.kind === 'post' ? 'article' : 'website',
    'og:title': page.title,
    'og:description': page.description,
    'og:url': `${baseUrl}${page.path}`,
    'og:locale': strings[page.language].locale.replace('-', '_'),
    'og:image': `${baseUrl}${site.pictureOf(page)}`,
    'og:image:width': String(pictureSize.width),
    'og:image:height': String(pictureSize.height),
    'og:image:alt': page.title,
    ...(page.date === undefined ? {} : { 'article:published_time': page.date }),
  };
  return [
    ...Object.entries(named).map(([name, content]) => `<meta name="${name}" content="${escaped(content)}">`),
    '<meta name="theme-color" content="#f4f6f8" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#10151c" media="(prefers-color-scheme: dark)">',
    ...Object.entries(openGraph).map(
      ([name, content]) => `<meta property="${name}" content="${escaped(content)}">`,
    ),
  ];
}

function links({ environment: { baseUrl, apiUrl }, assets }: SiteView, page: Page): string[] {
  const alternates = [
    ...languages.map((language) => [language, page.alternates[language]]),
    ['x-default', page.alternates.en],
  ];
  return [
    `<link rel="canonical" href="${baseUrl}${page.path}">`,
    ...alternates.map(([tag, path]) => `<link rel="alternate" hreflang="${tag}" href="${baseUrl}${path}">`),
    `<link rel="alternate" type="text/markdown" href="${baseUrl}${page.twinPath}">`,
    `<link rel="describedby" type="text/plain" href="${baseUrl}/llms.txt">`,
    `<link rel="service-desc" type="application/json" href="${baseUrl}/v1/openapi.json">`,
    `<link rel="service-doc" type="text/html" href="${apiUrl}/docs">`,
    `<link rel="api-catalog" type="application/linkset+json" href="${baseUrl}/.well-known/api-catalog">`,
    `<link rel="icon" type="image/svg+xml" href="${assets.icon}">`,
    ...assets.fonts.map(
      (path) => `<link rel="preload" as="font" type="font/woff2" href="${path}" crossorigin>`,
    ),
    `<link rel="stylesheet" href="${assets.style}">`,
  ];
}
