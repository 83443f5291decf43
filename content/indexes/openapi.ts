/** OpenAPI 3.1 of this host: a `GET` operation without security for each page, twin and index file. */
import { languages, type Page, type PageKind, pathOf } from '../site.ts';
import type { SiteView } from '../templates/site-view.ts';
import { descriptionVersion } from './json.ts';
import { headers, type ResponseName, responses, schemas } from './openapi-parts.ts';

export function openApi(site: SiteView): object {
  const { baseUrl, mailDomain } = site.environment;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kinora website content service',
      version: descriptionVersion,
      summary: 'Pages with markdown negotiation, machine-readable indexes and typed errors. Read-only.',
      description: `Every page exists as HTML and as markdown. This host is not the product API; see ${baseUrl}/.well-known/api-catalog.`,
      contact: { name: 'Kinora', url: `${baseUrl}/contact`, email: `support@${mailDomain}` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...pagePaths(site.pages), ...familyPaths(site.pages), ...filePaths(), ...apiPath() },
    components: { schemas, headers, responses },
  };
}

const tags = {
  pages: 'Content pages, as HTML or markdown',
  twins: 'The markdown of a page, without negotiation',
  indexes: 'Machine-readable indexes',
  api: 'The API is not on this host',
};

/** Kinds of pages that the document describes by one path with a parameter, such as `/blog/{slug}`. */
const families: readonly (readonly [PageKind, string, string])[] = [
  ['guide', '/docs', 'One guide to the product API'],
  ['feature', '/features', 'One feature area'],
  ['use-case', '/use-cases', 'One use case'],
  ['post', '/blog', 'One blog page'],
];

/** Pages that always exist, so the document lists no answer 404 for them. */
const alwaysThere = ['/404', '/contact'];

function pagePaths(pages: readonly Page[]): Record<string, object> {
  const single = pages.filter(({ kind }) => kind === 'page' || kind === 'recovery');
  return Object.fromEntries(
    single.flatMap((page) => {
      const missing = !alwaysThere.includes(page.slug);
      return [
        [page.path, { get: pageOperation(page.path, page.title, missing) }],
        [page.twinPath, { get: twinOperation(page.twinPath, `${page.title}, markdown`) }],
      ];
    }),
  );
}

function familyPaths(pages: readonly Page[]): Record<string, object> {
  return Object.fromEntries(
    families.flatMap(([kind, folder, summary]) =>
      languages.flatMap((language) => {
        const path = `${pathOf(folder, language)}/{slug}`;
        const members = pages.filter((page) => page.kind === kind && page.language === language);
        const parameter = slugParameter(members.map(({ slug }) => slug.slice(folder.length + 1)));
        return [
          [path, { get: pageOperation(path, summary, true, [parameter]) }],
          [`${path}.md`, { get: twinOperation(`${path}.md`, `${summary}, markdown`, [parameter]) }],
        ];
      }),
    ),
  );
}

const slugParameter = (slugs: readonly string[]): object => ({
  name: 'slug',
  in: 'path',
  required: true,
  description: 'Exactly the published pages',
  schema: { type: 'string', enum: [...slugs].sort() },
});

const acceptParameter = {
  name: 'Accept',
  in: 'header',
  description: '`text/markdown` chooses markdown; without a preference the answer is HTML (RFC 9110 §12.5.1)',
  schema: { type: 'string', examples: ['text/markdown'] },
};

function pageOperation(
  path: string,
  summary: string,
  canBeMissing: boolean,
  parameters: object[] = [],
): object {
  return {
    operationId: operationId('page', path),
    summary,
    tags: ['pages'],
    parameters: [...parameters, acceptParameter],
    responses: {
      200: use('Page'),
      403: use('PreviewRestricted'),
      ...(canBeMissing ? { 404: use('PageNotFound') } : {}),
      406: use('NotAcceptable'),
      ...failures,
    },
  };
}

function twinOperation(path: string, summary: string, parameters: object[] = []): object {
  return {
    operationId: operationId('twin', path),
    summary,
    tags: ['twins'],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { 200: use('Twin'), 403: use('PreviewRestricted'), 404: use('PageNotFound'), ...failures },
  };
}

const use = (name: ResponseName): object => ({ $ref: `#/components/responses/${name}` });
const failures = { 429: use('Throttled'), '5XX': use('Failure') };

/** Example: `page-es-blog-slug`. */
function operationId(prefix: string, path: string): string {
  const words = path.replace(/\.md$/, '').match(/\w[\w-]*/g) ?? ['home'];
  return [prefix, ...words].join('-');
}

interface IndexFile {
  readonly path: string;
  readonly summary: string;
  readonly contentType: string;
  readonly schema: object;
  /** False for the API catalog: a preview shows the catalog without a token, so there is no answer 403. */
  readonly isGated?: boolean;
}

const json = (name: keyof typeof schemas): Pick<IndexFile, 'contentType' | 'schema'> => ({
  contentType: 'application/json',
  schema: { $ref: `#/components/schemas/${name}` },
});
const plain = { contentType: 'text/plain', schema: { type: 'string' } };

const files: readonly IndexFile[] = [
  {
    path: '/.well-known/api-catalog',
    summary: 'API catalog (RFC 9727)',
    contentType: 'application/linkset+json',
    schema: { $ref: '#/components/schemas/Linkset' },
    isGated: false,
  },
  { path: '/.well-known/security.txt', summary: 'Where to report a vulnerability (RFC 9116)', ...plain },
  { path: '/llms.txt', summary: 'Every page, for language models', ...plain },
  { path: '/llms-full.txt', summary: 'The text of every English page', ...plain },
  { path: '/robots.txt', summary: 'Rules for crawlers', ...plain },
  {
    path: '/sitemap.xml',
    summary: 'Every page, for search engines',
    contentType: 'application/xml',
    schema: { type: 'string' },
  },
  { path: '/v1/pages.json', summary: 'Every page', ...json('Pages') },
  { path: '/v1/blog.json', summary: 'Every blog page, newest first', ...json('Blog') },
  { path: '/v1/problems.json', summary: 'Every error code of both hosts', ...json('Problems') },
  { path: '/v1/site.json', summary: 'Metadata and policies', ...json('Site') },
  {
    path: '/v1/openapi.json',
    summary: 'This document',
    contentType: 'application/json',
    schema: { type: 'object' },
  },
];

function filePaths(): Record<string, object> {
  return Object.fromEntries(files.map((file) => [file.path, { get: fileOperation(file) }]));
}

function fileOperation({ path, summary, contentType, schema, isGated = true }: IndexFile): object {
  const vary = isGated ? {} : { headers: { Vary: { $ref: '#/components/headers/Vary' } } };
  return {
    operationId: operationId('index', path.replaceAll('.', '-')),
    summary,
    tags: ['indexes'],
    responses: {
      200: { description: summary, ...vary, content: { [contentType]: { schema } } },
      ...(isGated ? { 403: use('PreviewRestricted') } : {}),
      404: use('PageNotFound'),
      ...failures,
    },
  };
}

function apiPath(): Record<string, object> {
  const path = {
    name: 'path',
    in: 'path',
    required: true,
    description: 'Any path segments',
    schema: { type: 'string' },
  };
  return {
    '/api/{path}': {
      get: {
        operationId: 'no-api-here',
        summary: 'Always 404',
        tags: ['api'],
        parameters: [path],
        responses: { 403: use('PreviewRestricted'), 404: use('NoApiOnThisHost'), ...failures },
      },
    },
  };
}
