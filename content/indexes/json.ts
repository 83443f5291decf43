/** The `/v1` JSON surface, and the API catalog. New versions add members, and never remove them. Clients ignore unknown members. */

import { defined } from '../../shared/checked-access.ts';
import { documentedProblems } from '../problems.ts';
import { isListed, languages, type Page } from '../site.ts';
import type { SiteView } from '../templates/site-view.ts';

export const descriptionVersion = '1.0.0';

export function pagesJson({ environment: { baseUrl }, pages }: SiteView): object {
  return {
    version: descriptionVersion,
    base_url: baseUrl,
    pages: pages.filter(isListed).map((page) => ({
      path: page.path,
      kind: page.kind,
      ...describe(page, baseUrl),
    })),
  };
}

export function blogJson({ environment: { baseUrl }, pages }: SiteView): object {
  const posts = pages
    .filter(({ kind }) => kind === 'post')
    .sort((a, b) => (defined(a.date) < defined(b.date) ? 1 : -1));
  return {
    version: descriptionVersion,
    posts: posts.map((post) => ({
      slug: post.slug.replace('/blog/', ''),
      ...describe(post, baseUrl),
      published: post.date,
    })),
  };
}

function describe(page: Page, baseUrl: string): object {
  const alternates = languages.map((language) => [language, `${baseUrl}${page.alternates[language]}`]);
  return {
    url: `${baseUrl}${page.path}`,
    markdown_url: `${baseUrl}${page.twinPath}`,
    title: page.title,
    description: page.description,
    language: page.language,
    lastmod: page.lastmod,
    ...(page.availability === undefined ? {} : { availability: page.availability }),
    alternates: Object.fromEntries(alternates),
  };
}

export function problemsJson({ environment: { baseUrl } }: SiteView): object {
  return {
    version: descriptionVersion,
    docs: `${baseUrl}/problems`,
    problems: documentedProblems('en').map(({ code, anchor, answers }) => ({
      code,
      type: `${baseUrl}/problems#${anchor}`,
      answers: answers.map(({ by, status, title, cure, retryable }) => ({
        by,
        ...(status === undefined ? {} : { status }),
        title,
        cure,
        ...(retryable === undefined ? {} : { retryable }),
      })),
    })),
  };
}

export function siteJson({ environment: { baseUrl, apiUrl, mailDomain } }: SiteView): object {
  return {
    version: descriptionVersion,
    name: 'Kinora',
    description: 'Website of Kinora, a media processing service. Read-only; every page is HTML and markdown.',
    base_url: baseUrl,
    languages,
    contact: { url: `${baseUrl}/contact`, email: `support@${mailDomain}` },
    indexes: {
      api_catalog: `${baseUrl}/.well-known/api-catalog`,
      openapi: `${baseUrl}/v1/openapi.json`,
      pages: `${baseUrl}/v1/pages.json`,
      blog: `${baseUrl}/v1/blog.json`,
      problems: `${baseUrl}/v1/problems.json`,
      llms: `${baseUrl}/llms.txt`,
      llms_full: `${baseUrl}/llms-full.txt`,
      sitemap: `${baseUrl}/sitemap.xml`,
    },
    api: { ...policies(baseUrl), product: productApi(baseUrl, apiUrl) },
  };
}

function policies(baseUrl: string): object {
  return {
    authentication: { required: false },
    methods: ['GET', 'HEAD', 'OPTIONS'],
    errors: { media_type: 'application/problem+json', registry: `${baseUrl}/v1/problems.json` },
    versioning: {
      scheme: 'path',
      current: 'v1',
      within_version: 'additive',
      breaking_changes: 'new path prefix',
    },
    rate_limits: {
      enforced: false,
      per_client: null,
      headers: [],
      statement:
        'No per-client rate limit is enforced on this host and no RateLimit headers are emitted. The CDN can still throttle with 429 or 503 and an HTML body.',
      throttling: { statuses: [429, 503], retry: 'exponential backoff with jitter', honour: 'Retry-After' },
    },
    deprecation_policy: {
      notice_days: 180,
      statement: 'Retirement is announced at least 180 days ahead by the headers below.',
      headers: [
        {
          name: 'Deprecation',
          specification: 'RFC 9745',
          format: 'structured field date',
          example: '@1798761600',
        },
        {
          name: 'Sunset',
          specification: 'RFC 8594',
          format: 'HTTP-date',
          example: 'Wed, 30 Jun 2027 00:00:00 GMT',
        },
      ],
      deprecated: [],
    },
  };
}

/** The product API, which needs an API key. It has another origin, so this host has no path `/api`. */
function productApi(baseUrl: string, apiUrl: string): object {
  return {
    name: 'Kinora media processing API',
    base_url: apiUrl,
    openapi: `${apiUrl}/openapi.json`,
    documentation: `${apiUrl}/docs`,
    guides: [`${baseUrl}/docs/api`, `${baseUrl}/docs/webhooks`],
    authentication: { scheme: 'bearer', header: 'Authorization: Bearer <API_KEY>' },
    access: `${baseUrl}/contact`,
  };
}

export const catalogContentType =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The API catalog (RFC 9727): a linkset (RFC 9264) of this host's `/v1` and of the product API. */
export function apiCatalog({ environment: { baseUrl, apiUrl } }: SiteView): object {
  return {
    linkset: [
      {
        anchor: `${baseUrl}/`,
        'service-desc': [
          target(`${baseUrl}/v1/openapi.json`, 'application/json', 'OpenAPI 3.1 of this host'),
        ],
        'service-doc': [target(`${baseUrl}/developers`, 'text/html', 'Developers')],
        'service-meta': [target(`${baseUrl}/v1/site.json`, 'application/json', 'Site metadata and policies')],
      },
      {
        anchor: `${apiUrl}/`,
        'service-desc': [
          target(`${apiUrl}/openapi.json`, 'application/json', 'OpenAPI 3.1 of the product API'),
        ],
        'service-doc': [target(`${apiUrl}/docs`, 'text/html', 'Interactive reference')],
        'service-meta': [
          target(`${baseUrl}/v1/site.json`, 'application/json', 'How to get access, and policies'),
        ],
      },
    ],
  };
}

const target = (href: string, type: string, title: string): object => ({ href, type, title });
