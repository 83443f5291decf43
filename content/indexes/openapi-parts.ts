/** Schemas and responses that the operations of this host share. */
import { siteProblems } from '../problems.ts';

const uri = { type: 'string', format: 'uri' };
const string = { type: 'string' };
const object = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
});
const array = (items: object): object => ({ type: 'array', items });
const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const described = {
  url: uri,
  markdown_url: uri,
  title: string,
  description: string,
  language: { type: 'string', enum: ['en', 'es'] },
  lastmod: { type: 'string', format: 'date' },
  alternates: object({ en: uri, es: uri }),
};

const listed = (members: Record<string, object>): object => {
  const always = { ...described, ...members };
  return object({ ...always, availability }, Object.keys(always));
};

const availability = {
  type: 'string',
  enum: ['works', 'partly', 'planned'],
  description:
    'Whether what the page describes works today; absent where it rests on no operation of the API',
};

export const schemas = {
  Problem: {
    description: 'RFC 9457 problem details; `code` is stable, `docs` explains it',
    ...object({
      type: { ...uri, description: '`/problems#` of this host and the code with hyphens' },
      title: string,
      status: { type: 'integer', examples: [404] },
      detail: string,
      instance: { type: 'string', description: 'Path that failed, without its query' },
      code: { type: 'string', enum: Object.keys(siteProblems) },
      docs: uri,
    }),
  },
  Pages: object({
    version: string,
    base_url: uri,
    pages: array(listed({ path: string, kind: string })),
  }),
  Blog: object({
    version: string,
    posts: array(listed({ slug: string, published: { type: 'string', format: 'date' } })),
  }),
  Problems: object({
    version: string,
    docs: uri,
    problems: array(object({ code: string, type: uri, answers: array(reference('Answer')) })),
  }),
  Answer: object(
    {
      by: {
        type: 'string',
        enum: ['site', 'api', 'job'],
        description: 'This host, the product API, or a job of it',
      },
      status: { type: 'integer' },
      title: string,
      cure: string,
      retryable: { type: 'boolean' },
    },
    ['by', 'title', 'cure'],
  ),
  Site: object({
    version: string,
    name: string,
    description: string,
    base_url: uri,
    languages: array(string),
    contact: object({ url: uri, email: { type: 'string', format: 'email' } }),
    indexes: { type: 'object', additionalProperties: uri },
    api: object({
      rate_limits: {
        type: 'object',
        description: 'No per-client limit is enforced; the CDN can still throttle',
      },
      deprecation_policy: { type: 'object', description: '180 days of notice by Deprecation and Sunset' },
    }),
  }),
  Linkset: {
    description: 'RFC 9264 linkset with the profile of RFC 9727',
    ...object({ linkset: array({ type: 'object', properties: { anchor: uri }, required: ['anchor'] }) }),
  },
} as const;

export const headers = {
  Vary: { description: 'Always `Accept, Accept-Encoding` on negotiated answers', schema: string },
  Link: {
    description: 'RFC 8288: alternate, canonical, service-desc, describedby, api-catalog',
    schema: string,
  },
  RetryAfter: { description: 'Seconds, or a date, before which a retry is pointless', schema: string },
};

const header = (name: string): object => ({ $ref: `#/components/headers/${name}` });
const text = { schema: string };
const problem = { schema: reference('Problem') };

export const responses = {
  Page: {
    description: 'The page, as the Accept header prefers',
    headers: { Vary: header('Vary'), Link: header('Link') },
    content: { 'text/html': text, 'text/markdown': text },
  },
  Twin: {
    description: 'The page as markdown',
    headers: { Vary: header('Vary'), Link: header('Link') },
    content: { 'text/markdown': text },
  },
  PreviewRestricted: {
    description: '`preview_restricted`: only preview environments and CDN default hosts answer this',
    content: { 'application/problem+json': problem },
  },
  PageNotFound: {
    description:
      '`page_not_found`, in the format that the request prefers; the HTML embeds the recovery guide',
    content: { 'application/problem+json': problem, 'text/html': text, 'text/markdown': text },
  },
  NoApiOnThisHost: {
    description: '`no_api_on_this_host`: the product API is another origin',
    content: { 'application/problem+json': problem },
  },
  NotAcceptable: {
    description: '`not_acceptable`: Accept excludes both representations',
    headers: { Vary: header('Vary') },
    content: { 'application/problem+json': problem },
  },
  Throttled: {
    description: 'Throttled by the CDN. Retry with exponential backoff and jitter',
    headers: { 'Retry-After': { ...header('RetryAfter') } },
    content: { 'text/html': text },
  },
  Failure: {
    description: 'CDN or origin failure. Retry 503 with exponential backoff and jitter',
    headers: { 'Retry-After': { ...header('RetryAfter') } },
    content: { 'text/html': text },
  },
};

export type ResponseName = keyof typeof responses;
