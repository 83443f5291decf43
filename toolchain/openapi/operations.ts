/** One operation of the document. */
import type { OperationSpec, ResponseSpec } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { rateLimitHeaders, replayHeader, requestIdHeader } from './headers.ts';
import { problemResponses } from './problems.ts';
import type { Components } from './schemas.ts';
import { tagOf } from './tags.ts';

export function operationObject(resource: string, spec: OperationSpec, components: Components) {
  const hasEtag = Object.values(spec.responses).some((response) => response.headers?.ETag !== undefined);
  const parameters = [
    ...components.parameters('path', spec.params),
    ...components.parameters('query', spec.query),
    ...(spec.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(spec.method === 'GET' && hasEtag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(spec.errors?.includes('precondition_failed') ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ];
  return {
    operationId: spec.id,
    tags: [tagOf(resource)],
    summary: spec.summary,
    description: descriptionOf(spec),
    ...(isPlanned(spec) && { 'x-status': 'preview', 'x-kinora-planned': spec.planned }),
    ...(parameters.length > 0 && { parameters }),
    ...(spec.body !== undefined && {
      requestBody: {
        required: !spec.bodyOptional,
        content: {
          'application/json': { schema: components.reference(spec.body), example: spec.bodyExample },
        },
      },
    }),
    responses: { ...successes(spec, hasEtag, components), ...problemResponses(spec) },
  };
}

function descriptionOf(spec: OperationSpec): string {
  const scope = spec.scope === null ? 'Any valid key is enough.' : `Scope: \`${spec.scope}\`.`;
  const origin = spec.beyondSpec ? ' An addition to the base specification.' : '';
  return `${plannedNote(spec)}${spec.description ?? `${spec.summary}.`} ${scope}${origin}`;
}

/** Returns the first sentence of a planned operation's description. Empty for other operations. */
export const plannedNote = (spec: OperationSpec): string =>
  isPlanned(spec)
    ? `Planned: ${spec.planned} is not available yet. A valid request is answered with 501 \`not_implemented\`. `
    : '';

function successes(spec: OperationSpec, hasEtag: boolean, components: Components) {
  const entries = Object.entries(spec.responses).map(([status, response]) => [
    status,
    {
      description: response.description,
      headers: headersOf(spec, response),
      ...contentOf(response, components),
    },
  ]);
  const notModified = {
    description: 'The version of the caller is current',
    headers: headersOf(spec, { description: '', headers: { ETag: 'That version' } }),
  };
  const conditional = spec.method === 'GET' && hasEtag ? { 304: notModified } : {};
  return { ...Object.fromEntries(entries), ...conditional };
}

function contentOf(response: ResponseSpec, components: Components) {
  if (response.text !== undefined) {
    const [type = 'text/plain'] = response.text.contentType.split(';');
    return { content: { [type]: { schema: { type: 'string' }, example: response.text.example } } };
  }
  if (response.bytes !== undefined) {
    const { contentType } = response.bytes;
    // OpenAPI 3.1, "Considerations for File Uploads": raw bytes have a media type instead of a JSON type.
    return { content: { [contentType]: { schema: { contentMediaType: contentType } } } };
  }
  if (response.body === undefined) return {};
  const schema = components.reference(response.body);
  return {
    content: {
      'application/json': { schema, ...(response.example !== undefined && { example: response.example }) },
    },
  };
}

function headersOf({ method }: OperationSpec, response: ResponseSpec) {
  const own = Object.entries(response.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: name === 'Retry-After' ? 'integer' : 'string' } },
  ]);
  return {
    ...requestIdHeader,
    ...(method === 'POST' && replayHeader),
    ...rateLimitHeaders,
    ...Object.fromEntries(own),
  };
}
