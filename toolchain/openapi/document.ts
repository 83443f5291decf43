/** The OpenAPI 3.1 document, made from the contract. */

import { operations } from '../../contract/index.ts';
import { sharedHeaders } from './headers.ts';
import { operationObject } from './operations.ts';
import { sharedProblems } from './problems.ts';
import { Components, gatewayRefusalSchema, problemSchema } from './schemas.ts';
import { descriptionOfTag, tagOf } from './tags.ts';
import { webhookObjects } from './webhooks.ts';

export interface DocumentOptions {
  /** Origin of the site, which explains problems. */
  readonly siteUrl?: string;
  /** Origin of the API where it is known; otherwise the document leaves it open. */
  readonly apiUrl?: string;
}

export function openApiDocument({ siteUrl = 'https://kinora.dev', apiUrl }: DocumentOptions = {}) {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { resource, spec } of operations) {
    paths[spec.path] ??= {};
    paths[spec.path]![spec.method.toLowerCase()] = operationObject(resource, spec, components);
  }
  const webhooks = webhookObjects(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kinora API',
      version: '1.0.0',
      summary: 'Upload media; get transcriptions, subtitles, translations, voice over and clips.',
      description:
        'Every request carries `Authorization: Bearer <API_KEY>`. Errors are RFC 9457 problem documents with a stable `code`. ' +
        'POST takes an `Idempotency-Key`; a repeat within 24 hours receives the first answer. ' +
        'HEAD is answered wherever GET is, without the body. ' +
        'What is marked as planned takes and checks requests already, and answers 501.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Kinora', url: `${siteUrl}/contact` },
    },
    servers: [serverOf(apiUrl)],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.map(({ resource }) => tagOf(resource)))].map((name) => ({
      name,
      description: descriptionOfTag(name),
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`knr_{live|test}_{id}_{secret}`' },
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      ...sharedProblems(siteUrl),
      schemas: { ...components.schemas, Problem: problemSchema, GatewayRefusal: gatewayRefusalSchema },
    },
  };
}

/** An address is absolute: tools that read a file know of no origin that a relative one could begin at. */
const serverOf = (apiUrl: string | undefined) =>
  apiUrl === undefined
    ? {
        url: '{api_url}',
        description: 'An environment of your own',
        variables: {
          api_url: {
            default: 'http://127.0.0.1:8787',
            description:
              'Origin without `/v1`: what `npm start` prints, or the output ApiUrl of the Api stack',
          },
        },
      }
    : { url: apiUrl, description: 'This environment' };

const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Any unique text, such as a UUID. The same key within 24 hours receives the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of the version that the caller has; 304 where it still holds.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'ETag that the resource must still have; 412 otherwise.',
    schema: { type: 'string' },
  },
};
