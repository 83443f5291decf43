/** The OpenAPI 3.1 document, made from the contract. */
import { operations } from '../../contract/index.ts';
import { defined } from '../../shared/checked-access.ts';
import { sharedHeaders } from './headers.ts';
import { operationObject } from './operations.ts';
import { sharedProblemComponents } from './problems.ts';
import { Components, gatewayRefusalSchema, problemSchema } from './schemas.ts';
import { descriptionOfTag, tagOf } from './tags.ts';
import { webhookObjects } from './webhooks.ts';

interface DocumentOptions {
  readonly siteUrl?: string;
  /** Origin of the API. Without it, the document has a server variable. */
  readonly apiUrl?: string;
}

export function openApiDocument({ siteUrl = 'https://kinora.dev', apiUrl }: DocumentOptions = {}) {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { resource, spec } of operations) {
    paths[spec.path] ??= {};
    defined(paths[spec.path])[spec.method.toLowerCase()] = operationObject(resource, spec, components);
  }
  const webhooks = webhookObjects(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kinora API',
      version: '1.0.0',
      summary: 'Upload media; get transcriptions, subtitles, translations, voice over and clips.',
      description:
        'Every request needs `Authorization: Bearer <API_KEY>`. Errors are RFC 9457 problem documents with a stable `code`. ' +
        'POST requests accept the header `Idempotency-Key`: a retry within 24 hours gets the first answer. ' +
        'HEAD works on every path that has GET, and answers without the body. ' +
        'Operations that are marked as planned validate requests already, and answer 501.',
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
      ...sharedProblemComponents(siteUrl),
      schemas: { ...components.schemas, Problem: problemSchema, GatewayRefusal: gatewayRefusalSchema },
    },
  };
}

/** The URL is absolute, because tools that read a file have no origin for a relative URL. */
const serverOf = (apiUrl: string | undefined) =>
  apiUrl === undefined
    ? {
        url: '{api_url}',
        description: 'Your environment',
        variables: {
          api_url: {
            default: 'http://127.0.0.1:8787',
            description:
              'Origin without `/v1`: `npm start` prints it, and the Api stack has it as the output ApiUrl',
          },
        },
      }
    : { url: apiUrl, description: 'This environment' };

const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any unique text, such as a UUID. Within 24 hours, a request with the same key gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of the version that the caller has; 304 if it is current.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'ETag that the resource must have; 412 otherwise.',
    schema: { type: 'string' },
  },
};
