/** Lists what clients rely on, as sorted lines: operations, parameters, members with their types, and enum values. */
import type { openApiDocument } from './document.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export function surfaceOf({ paths, components }: ReturnType<typeof openApiDocument>): string[] {
  const schemas = components.schemas as Readonly<Record<string, Schema>>;
  const lines = [
    ...Object.entries(schemas).flatMap(([name, schema]) => within(name, schema)),
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        ofOperation(`${method.toUpperCase()} ${path}`, operation as Operation),
      ),
    ),
  ];
  return [...new Set(lines)].sort();
}

function ofOperation(at: string, { parameters = [], requestBody, responses }: Operation): string[] {
  const succeeded = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return [
    at,
    ...parameters.map((one) => `${at} ${one.$ref ?? `${one.in} ${one.name}`}`),
    ...ofContent(`${at} body`, requestBody?.content),
    ...succeeded.flatMap(([status, { content }]) => [
      `${at} ${status}`,
      ...ofContent(`${at} ${status}`, content),
    ]),
  ];
}

const ofContent = (at: string, content: Content = {}): string[] =>
  Object.entries(content).flatMap(([type, { schema }]) => [
    `${at} ${type}`,
    ...(schema === undefined ? [] : within(at, schema)),
  ]);

function within(at: string, schema: Schema): string[] {
  const { $ref, type, properties = {}, items, enum: values = [] } = schema;
  if ($ref !== undefined) return [`${at}: ${$ref.split('/').at(-1)}`];
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...[type ?? []].flat().map((one) => `${at}: ${one}`),
    ...values.map((value) => `${at} = ${value}`),
    ...parts.flatMap((part) => within(at, part)),
    ...Object.entries(properties).flatMap(([name, member]) => within(`${at}.${name}`, member)),
    ...(items === undefined ? [] : within(`${at}[]`, items)),
  ];
}
