/** The HTML document around a page's text. */
import { type Language, type Page, pathOf } from '../site.ts';
import { head } from './head.ts';
import { ancestorsOf, escaped, neighboursOf, pageAt, type SiteView } from './site-view.ts';
import { strings } from './strings.ts';

/** Slugs in the main navigation. `reference` is the API reference, which has another origin. */
const mainPages = [
  ...['/features', '/use-cases', '/developers', '/docs/api', '/docs/webhooks'],
  ...['reference', '/blog', '/contact'],
];
const footerPages = ['/features', '/use-cases', '/blog', '/developers', '/docs', '/problems', '/contact'];
const legalPages = ['/privacy-policy', '/cookie-policy'] as const;
const machineFiles = [
  '/llms.txt',
  '/llms-full.txt',
  '/.well-known/api-catalog',
  '/v1/openapi.json',
  '/v1/pages.json',
  '/v1/site.json',
  '/sitemap.xml',
] as const;
/** The minimum number of headings for a table of contents. */
const HEADINGS_WORTH_LISTING = 3;

export function htmlDocument(site: SiteView, page: Page): string {
  const words = strings[page.language];
  return `<!DOCTYPE html>
<html lang="${page.language}">
<head>
${head(site, page)}
</head>
<body class="${page.layout}">
<a class="skip" href="#main">${words.skip}</a>
${header(site, page)}
<div class="frame">
${breadcrumbs(site, page)}${contents(page)}<main id="main" data-copy="${words.copy}" data-copied="${words.copied}">
${page.html}
</main>
${pager(site, page)}</div>
${footer(site, page)}
${page.kind === 'recovery' ? embeddedGuide(page) : ''}</body>
</html>
`;
}

/** The first text after the skip link: it leads agents to the machine-readable pages. */
function machinePointer({ language, twinPath }: Page): string {
  const words = strings[language];
  return `<p class="machines">${words.forMachines} <a href="/llms.txt">/llms.txt</a> <a class="twin" href="${twinPath}" type="text/markdown">${words.asMarkdown}</a></p>`;
}

function header(site: SiteView, page: Page): string {
  const other: Language = page.language === 'en' ? 'es' : 'en';
  const words = strings[page.language];
  const items = mainPages.map((slug) => `<li>${navigationLink(site, slug, page)}</li>`).join('');
  return `<header>
${machinePointer(page)}
<div class="top">
<a class="brand" href="${pathOf('/', page.language)}">${mark}Kinora</a>
<nav class="main-navigation" aria-label="${words.mainNavigation}"><ul>${items}</ul></nav>
<a class="language" href="${page.alternates[other]}" hreflang="${other}" lang="${other}">${words.switchTo}</a>
</div>
</header>`;
}

function navigationLink(site: SiteView, slug: string, page: Page): string {
  if (slug === 'reference') return referenceLink(site, strings[page.language].reference);
  const target = pageAt(site, slug, page.language);
  const current =
    target === page ? ' aria-current="page"' : page.slug.startsWith(`${slug}/`) ? ' aria-current="true"' : '';
  return `<a href="${target.path}"${current}>${escaped(target.title)}</a>`;
}

const referenceLink = ({ environment }: SiteView, name: string): string =>
  `<a href="${environment.apiUrl}/docs">${name}</a>`;

/** The logo: cards of a reel, fanned out. */
const mark = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">${Array.from(
  { length: 9 },
  (_, index) => {
    const turn = Math.PI * (1 + index / 8);
    const [x, y] = [Math.cos(turn), Math.sin(turn)];
    return `<path d="M${(16 + 5 * x).toFixed(1)} ${(24 + 5 * y).toFixed(1)}L${(16 + 14 * x).toFixed(1)} ${(24 + 14 * y).toFixed(1)}"/>`;
  },
).join('')}<path d="M2 29.5h28"/></svg>`;

function breadcrumbs(site: SiteView, page: Page): string {
  const ancestors = ancestorsOf(site, page);
  if (ancestors.length === 0) return '';
  const home = pageAt(site, '/', page.language);
  const words = strings[page.language];
  const items = [
    `<a href="${home.path}">${words.home}</a>`,
    ...ancestors.map(({ path, title }) => `<a href="${path}">${escaped(title)}</a>`),
  ];
  return `<nav class="breadcrumbs" aria-label="${words.breadcrumbs}"><ol>${items.map((item) => `<li>${item}</li>`).join('')}</ol></nav>\n`;
}

function contents({ layout, headings, language }: Page): string {
  if (layout !== 'article' || headings.length < HEADINGS_WORTH_LISTING) return '';
  const words = strings[language];
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`).join('');
  return `<nav class="contents" aria-label="${words.contents}"><p>${words.contents}</p><ol>${items}</ol></nav>\n`;
}

function pager(site: SiteView, page: Page): string {
  const { previous, next } = neighboursOf(site, page);
  if (previous === undefined && next === undefined) return '';
  const words = strings[page.language];
  const link = (to: Page | undefined, relation: 'prev' | 'next', label: string): string =>
    to === undefined
      ? ''
      : `<a rel="${relation}" href="${to.path}"><span>${label}</span> ${escaped(to.title)}</a>`;
  return `<nav class="pager" aria-label="${words.neighbours}">${link(previous, 'prev', words.previous)}${link(next, 'next', words.next)}</nav>\n`;
}

function footer(site: SiteView, page: Page): string {
  const words = strings[page.language];
  const pageLinks = (slugs: readonly string[]): string[] =>
    slugs
      .map((slug) => pageAt(site, slug, page.language))
      .map(({ path, title }) => `<a href="${path}">${escaped(title)}</a>`);
  return `<footer class="foot">
${column(words.footerPages, [...pageLinks(footerPages), referenceLink(site, words.apiReference)])}
${column(
  words.footerMachines,
  machineFiles.map((path) => `<a href="${path}">${path}</a>`),
)}
${column(words.footerLegal, pageLinks(legalPages))}
<p class="licence">${words.licence}</p>
</footer>`;
}

const column = (title: string, links: readonly string[]): string =>
  `<div><p>${title}</p><ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul></div>`;

/** The recovery guide as markdown, for clients that did not ask for HTML but received this document. */
function embeddedGuide({ markdown }: Page): string {
  if (markdown.includes('</script')) throw new Error('the recovery guide would end its script element');
  return `<script type="text/markdown" id="recovery-guide">\n${markdown}</script>\n`;
}
