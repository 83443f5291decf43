/** Indexes as text: llms.txt, llms-full.txt, sitemap.xml, robots.txt and security.txt. */
import { type Operation, plannedOf } from '../model/availability.ts';
import { isListed, type Language, languages, type Page, type PageKind } from '../site.ts';
import { escaped, type SiteView } from '../templates/site-view.ts';
import { strings } from '../templates/strings.ts';

const summary =
  'Kinora is an open-source media processing service: upload a video or a sound file, get its transcript and its subtitles over one HTTP API. It runs on a laptop with one command or in your own AWS account.';

/** Headings of llms.txt, in order. */
const groups: readonly (readonly [PageKind, string])[] = [
  ['page', 'Pages'],
  ['guide', 'Guides'],
  ['feature', 'Features'],
  ['use-case', 'Use cases'],
  ['post', 'Blog'],
];
const languageNames: Readonly<Record<Language, string>> = { en: '', es: ' (español)' };

/** llmstxt.org: title, summary, and lists of links to the markdown twins of pages. */
export function llmsTxt(site: SiteView): string {
  const { baseUrl, apiUrl } = site.environment;
  const lists = languages.flatMap((language) =>
    groups.map(([kind, title]) => list(site, `${title}${languageNames[language]}`, language, kind)),
  );
  return `# Kinora

> ${summary}

- Every page exists as HTML and as markdown: append \`.md\` to its path, or send \`Accept: text/markdown\`.
- This host is read-only and has no API under \`/api\`. The product API is ${apiUrl}, with its OpenAPI document at ${apiUrl}/openapi.json; both hosts are in ${baseUrl}/.well-known/api-catalog.
- From a file to its subtitles: \`POST /v1/assets\`, \`POST /v1/assets/{asset_id}/start_upload\`, \`PUT\` each part to its presigned address, \`POST /v1/assets/{asset_id}/finish_upload\` with their ETags. The asset's \`status\` is \`created\`, then \`uploading\`, then \`processing\`, and ends as \`ready\` or \`failed\`: ask \`GET /v1/assets/{asset_id}\`, or register a webhook for \`asset.ready\`. Its transcriptions are then at \`/v1/assets/{asset_id}/transcriptions\`, the subtitles of each at \`/v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt\` and \`/srt\`. As commands: ${baseUrl}/docs/api.md
${plannedLine()}- The same list as JSON: ${baseUrl}/v1/pages.json. All English pages in one file: ${baseUrl}/llms-full.txt.

${lists.join('\n\n')}
`;
}

/** The line of llms.txt with the planned operations, so that agents do not try them. */
function plannedLine(): string {
  const planned = plannedOf();
  if (planned.length === 0) return '';
  const names = planned.map(linkText).join(', ');
  return `- These operations are planned: they check a request, and answer \`501 not_implemented\` to a sound one: ${names}.\n`;
}

const linkText = ({ method, path }: Operation): string => `\`${method} ${path}\``;

function list({ environment, pages }: SiteView, title: string, language: Language, kind: PageKind): string {
  const links = pages
    .filter((page) => page.kind === kind && page.language === language)
    .map((page) => `- [${page.title}](${environment.baseUrl}${page.twinPath}): ${summaryOf(page)}`);
  return `## ${title}\n\n${links.join('\n')}`;
}

/** The description of a page. If all of the page's operations work, a mark comes first. */
const summaryOf = ({ availability, description, language }: Page): string =>
  availability === 'works' ? `${strings[language].availability.works}. ${description}` : description;

/** The full text of every English page. The Spanish pages are left out, because they have the same content. */
export function llmsFullTxt({ environment: { baseUrl }, pages }: SiteView): string {
  const english = pages.filter((page) => isListed(page) && page.language === 'en');
  const texts = english.map((page) => `<!-- ${baseUrl}${page.path} -->\n\n${page.markdown.trim()}`);
  return `${[`<!-- Kinora, all English pages. The same in Spanish: ${baseUrl}/es.md -->`, ...texts].join('\n\n')}\n`;
}

export function sitemapXml({ environment: { baseUrl }, pages }: SiteView): string {
  const urls = pages.filter(isListed).map((page) => sitemapEntry(page, baseUrl));
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
}

function sitemapEntry({ path, lastmod, alternates }: Page, baseUrl: string): string {
  const links = languages.map(
    (language) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${escaped(`${baseUrl}${alternates[language]}`)}"/>`,
  );
  return `<url><loc>${escaped(`${baseUrl}${path}`)}</loc><lastmod>${lastmod}</lastmod>${links.join('')}</url>`;
}

/** contentsignals.org: what a crawler may do with the pages, as a directive of robots.txt. */
export function robotsTxt({ environment: { baseUrl, indexable } }: SiteView): string {
  if (!indexable) return 'User-agent: *\nContent-Signal: search=no, ai-input=yes, ai-train=no\nDisallow: /\n';
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`;
}

/** RFC 9116 §2.5.5 recommends an expiry within a year. This file expires ten months after the month of the build. */
export function securityTxt({ environment: { baseUrl, mailDomain } }: SiteView, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 10, 1));
  return `Contact: mailto:security@${mailDomain}
Expires: ${expires.toISOString()}
Preferred-Languages: en, es
Canonical: ${baseUrl}/.well-known/security.txt
Policy: ${baseUrl}/contact
`;
}
