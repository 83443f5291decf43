/** Generates the source of the client's operations from the contract. */
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { routePath } from '../../contract/kit/routes.ts';
import { defined } from '../../shared/checked-access.ts';
import { exampleId } from '../openapi/example-ids.ts';
import { plannedNote } from '../openapi/operations.ts';
import { Types } from './types.ts';

const head = `// biome-ignore-all format: generated
// biome-ignore-all lint: generated
/** Generated from the contract: a method for each operation, and the types of its input and its result. */
import type { Answer, List } from './answers.ts';
import { type CallOptions, type ClientOptions, Http, pathText } from './http.ts';`;

export function clientSource(): string {
  const types = new Types();
  // Sorted by name, because the order of a module's exports depends on the loader.
  const specs = operations.map(({ spec }) => spec as OperationSpec);
  const methods = specs
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((spec) => method(spec, types));
  const client = `/**
 * Every operation of the API, under its name there.
 * @example
 * const kinora = new Kinora({ url: 'http://127.0.0.1:8787', apiKey: process.env.KINORA_API_KEY });
 * for await (const asset of kinora.listAssets()) console.log(asset.name, asset.status);
 */
export class Kinora {
  readonly #http: Http;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
  }

${methods.join('\n\n')}
}`;
  return `${[head, client, ...types.declarations()].join('\n\n')}\n`;
}

/** Returns the code of a method. Path and query parameters are members of its single argument, next to `body`. */
function method(spec: OperationSpec, types: Types): string {
  const { id, params, query, body, bodyOptional } = spec;
  const members = [
    ...types.members((params ?? {}) as object),
    ...types.members((query ?? {}) as object),
    ...(body === undefined
      ? []
      : [`  readonly body${bodyOptional ? '?' : ''}: ${types.of(body).replaceAll('\n', '\n  ')};`]),
  ];
  const needsNone = params === undefined && (body === undefined || bodyOptional) && !hasRequired(query);
  const input = `input: {\n${members.join('\n')}\n}${needsNone ? ' = {}' : ''}`.replaceAll('\n', '\n  ');
  const { reader, type } = answer(spec, types);
  return `${comment(spec)}
  ${id}(${members.length === 0 ? '' : `${input}, `}options?: CallOptions): ${type} {
    return this.#http.${reader}({ ${callOf(spec)}, options });
  }`;
}

function comment(spec: OperationSpec): string {
  const { summary, method, path } = spec;
  const lines = [
    `${summary}. ${method} ${path}`,
    ...(isPlanned(spec) ? [`@experimental ${plannedNote(spec).trim()}`] : []),
    '@example',
    exampleOf(spec),
  ];
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '* /')}\n`).join('')}   */`;
}

/** Returns code for the call, with the contract's examples. */
function exampleOf(spec: OperationSpec): string {
  const { id, path, bodyExample } = spec;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: '${exampleId(defined(name))}'`);
  const body = bodyExample === undefined ? [] : [`body: ${literal(bodyExample)}`];
  const members = [...ids, ...body];
  const call = `kinora.${id}(${members.length === 0 ? '' : `{ ${members.join(', ')} }`})`;
  return isList(spec) ? `for await (const item of ${call}) console.log(item);` : `await ${call};`;
}

/** Writes a value as a person would: names without quotes if possible, and texts in single quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${key}: ${literal(member)}`;
  });
  return `{ ${members.join(', ')} }`;
}

const hasRequired = (schema: unknown) => ((schema as { required?: unknown[] })?.required ?? []).length > 0;

function callOf(spec: OperationSpec): string {
  const { method, query, body } = spec;
  const address = routePath(spec)
    .replace(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(input.${name})}`)
    .replace(/\{(\w+)\+\}/, (_, name) => `\${pathText(input.${name})}`);
  const names = Object.keys((query as { properties?: object })?.properties ?? {});
  return [
    `method: '${method}'`,
    `path: \`${address}\``,
    ...(names.length === 0 ? [] : [`query: { ${names.map((name) => `${name}: input.${name}`).join(', ')} }`]),
    ...(body === undefined ? [] : ['body: input.body']),
  ].join(', ');
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const membersOf = (schema: unknown) => Object.keys((schema as ObjectSchema | undefined)?.properties ?? {});

const isList = ({ responses }: OperationSpec): boolean => {
  const members = membersOf(responses[200]?.body);
  return members.includes('data') && members.includes('next_cursor');
};

function answer(spec: OperationSpec, types: Types): { reader: string; type: string } {
  const successes = Object.values(spec.responses);
  if (successes.some(({ text }) => text !== undefined)) return { reader: 'text', type: 'Answer<string>' };
  if (successes.some(({ bytes }) => bytes !== undefined)) {
    return { reader: 'bytes', type: 'Answer<Uint8Array>' };
  }
  const bodies = [...new Set(successes.flatMap(({ body }) => (body === undefined ? [] : [types.of(body)])))];
  if (isList(spec)) return { reader: 'list', type: `List<${bodies.join(' | ')}>` };
  return bodies.length === 0
    ? { reader: 'nothing', type: 'Answer<void>' }
    : { reader: 'json', type: `Answer<${bodies.join(' | ')}>` };
}
