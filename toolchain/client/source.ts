/** The source of the client's operations, made from the contract. */
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { routePath } from '../../contract/kit/routes.ts';
import { plannedNote } from '../openapi/operations.ts';
import { Types } from './types.ts';

const head = `// biome-ignore-all format: generated
// biome-ignore-all lint: generated
/** Made by \`npm run client\` from the contract: a method for each operation, and the types that they take and give. */
import { type CallOptions, type ClientOptions, Http, pathText } from './http.ts';`;

export function clientSource(): string {
  const types = new Types();
  // Sorted by name, because the order in which a module's exports are seen depends on what loads it.
  const specs = operations.map(({ spec }) => spec as OperationSpec);
  const methods = specs
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((spec) => method(spec, types));
  const client = `export class Kinora {
  readonly #http: Http;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
  }

${methods.join('\n\n')}
}`;
  return `${[head, client, ...types.declarations()].join('\n\n')}\n`;
}

/** Placeholders and query parameters are members of the one argument, beside \`body\`. */
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
  ${id}(${members.length === 0 ? '' : `${input}, `}options?: CallOptions): Promise<${type}> {
    return this.#http.${reader}({ ${callOf(spec)}, options });
  }`;
}

function comment(spec: OperationSpec): string {
  const { summary, method, path } = spec;
  if (!isPlanned(spec)) return `  /** ${summary}. ${method} ${path} */`;
  return `  /**
   * ${summary}. ${method} ${path}
   * @experimental ${plannedNote(spec).trim()}
   */`;
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

/** How the answer is read, and its type: of all successes that carry a body. */
function answer({ responses }: OperationSpec, types: Types): { reader: string; type: string } {
  const successes = Object.values(responses);
  if (successes.some(({ text }) => text !== undefined)) return { reader: 'text', type: 'string' };
  const bodies = [...new Set(successes.flatMap(({ body }) => (body === undefined ? [] : [types.of(body)])))];
  return bodies.length === 0
    ? { reader: 'nothing', type: 'void' }
    : { reader: 'json', type: bodies.join(' | ') };
}
