/**
 * Makes a configuration resource from one definition: its five operations, their schemas, and the facts for its generic
 * handler (`platform/kernel/crud.ts`). PATCH does not change absent members. `null` resets an optional member to its
 * default, or to null. A PATCH replaces lists and objects as a whole.
 */
import Type, { type TSchema } from 'typebox';
import type { ProblemCode } from './errors.ts';
import {
  type ConfigurationFacts,
  capital,
  type Operation,
  type ParentFacts,
  type ReferenceTarget,
} from './operation.ts';
import {
  Body,
  created,
  listed,
  Nullable,
  orNull,
  Page,
  pageParameters,
  Strict,
  Timestamp,
  Uuid,
} from './schemas.ts';

type Fields = Readonly<Record<string, TSchema>>;
type Example = Readonly<Record<string, unknown>>;

export interface Definition<Kind extends string, Plural extends string> {
  /** Name in sentences: `branding clip`. Other names are derived from this name. */
  readonly kind: Kind;
  /** The name in operation ids and paths. Default: `kind` with an s. */
  readonly plural?: Plural;
  readonly kinds?: string;
  /** Path of the collection, including `{parent_id}`. Default: derived from `plural`, such as `/v1/branding_clips`. */
  readonly path?: string;
  /** Name of the path parameter and member with the item's id. Default: derived from `kind`, as `branding_clip_id`. */
  readonly id?: string;
  readonly parent?: ParentFacts;
  /** The first part of the resource's scopes: `config` for `config:read` and `config:write`. */
  readonly scope: 'config' | 'storages' | 'webhooks';
  /** Whether `test/contract/specification.ts` does not list the operations. */
  readonly beyondSpec?: true;
  /** Members of the body. `Type.Optional` marks optional members; `default` is their default value. */
  readonly fields: Fields;
  /** Secret members. They are optional, and answers leave them out. */
  readonly writeOnly?: readonly string[];
  /** Members that only answers have, with their initial value. */
  readonly facts?: Readonly<Record<string, readonly [schema: TSchema, initial: unknown]>>;
  readonly leftOut?: readonly string[];
  readonly references?: Readonly<Record<string, ReferenceTarget>>;
  /** The member whose value is unique among the items of the same parent. */
  readonly unique?: string;
  /** Resources that may refer to an item, and so prevent its deletion: `collections and channels`. */
  readonly usedBy?: string;
  /** JSON Schema keywords that relate several members of the body. */
  readonly rules?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  /** Sentences about the consequences of a deletion. */
  readonly deletion?: string;
  /** Error codes in addition to those of every configuration resource. */
  readonly errors?: readonly ProblemCode[];
  /** Example body of a create request. */
  readonly example: Example;
  readonly factsExample?: Example;
}

interface Answer {
  readonly description: string;
  readonly body: TSchema;
}

interface ConfigurationOperation extends Operation {
  readonly configuration: ConfigurationFacts;
}

interface WithItem<Status extends number> extends ConfigurationOperation {
  readonly responses: Readonly<Record<Status, Answer>>;
}

/** `BrandingClip` for `branding clip`. */
export type Pascal<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Text>;

export const pascal = <Text extends string>(text: Text) =>
  text.split(' ').map(capital).join('') as Pascal<Text>;

/** The five operations of a resource. Their names end in the name of the resource. */
export type Crud<Kind extends string, Plural extends string = `${Kind}s`> = Readonly<
  Record<`create${Pascal<Kind>}`, WithItem<201>> &
    Record<`list${Pascal<Plural>}` | `get${Pascal<Kind>}` | `update${Pascal<Kind>}`, WithItem<200>> &
    Record<`delete${Pascal<Kind>}`, ConfigurationOperation>
>;

export function crud<const Kind extends string, const Plural extends string = `${Kind}s`>(
  given: Definition<Kind, Plural>,
): Crud<Kind, Plural> {
  const definition = named(given);
  const { one, many, kind, kinds, path, id, parent, scope, errors = [] } = definition;
  const facts = factsOf(definition);
  const configuration = (action: ConfigurationFacts['action']) => ({
    configuration: { action, ...facts },
    ...(definition.beyondSpec && { beyondSpec: true }),
  });
  const parents = parent === undefined ? {} : { [parent.id]: Uuid(capital(parent.kind)) };
  const collection = parent === undefined ? {} : { params: Strict(parents) };
  const item = { path: `${path}/{${id}}`, params: Strict({ ...parents, [id]: Uuid(capital(kind)) }) };
  const { answer, listedAnswer } = answers(definition);
  const example = exampleOf(definition);
  const shown = { body: answer, example, headers: { ETag: `Version of the ${kind}` } };
  const targets = Object.values(definition.references ?? {});
  const isMirrored = targets.some(({ mirror }) => mirror !== undefined);
  const refuses: ProblemCode[] = [
    ...(targets.length > 0 ? (['unknown_reference'] as const) : []),
    // invalid_state: the target belongs to another item. write_conflict: another request changed the target at the same time.
    ...(isMirrored ? (['invalid_state', 'write_conflict'] as const) : []),
    ...(definition.unique === undefined ? [] : (['invalid_state'] as const)),
  ];
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a';

  const operations: Record<string, ConfigurationOperation> = {
    [`create${one}`]: {
      ...configuration('create'),
      method: 'POST',
      path,
      ...collection,
      summary: `Create ${article} ${kind}`,
      ...(definition.description !== undefined && { description: definition.description }),
      scope: `${scope}:write`,
      body: inputOf(definition),
      bodyExample: definition.example,
      responses: { 201: { description: `The new ${kind}`, body: answer, example, headers: created } },
      errors: [...refuses, ...errors],
    },
    [`list${many}`]: {
      ...configuration('list'),
      method: 'GET',
      path,
      ...collection,
      summary: `List ${kinds}, newest first`,
      description: [leftOutNote(definition), paging].filter(Boolean).join(' '),
      scope: `${scope}:read`,
      query: pageParameters,
      responses: {
        200: { description: `One page of ${kinds}`, body: Page(listedAnswer, `${one}Page`), headers: listed },
      },
    },
    [`get${one}`]: {
      ...configuration('get'),
      method: 'GET',
      ...item,
      summary: `Get ${article} ${kind}`,
      description: [writeOnlyNote(definition), versions].filter(Boolean).join(' '),
      scope: `${scope}:read`,
      responses: { 200: { description: `The ${kind}`, ...shown } },
    },
    [`update${one}`]: {
      ...configuration('update'),
      method: 'PATCH',
      ...item,
      summary: `Change ${article} ${kind}`,
      description:
        'Absent members do not change. `null` resets an optional member to its default, or to null. ' +
        'Lists and objects are replaced as a whole.',
      scope: `${scope}:write`,
      body: changeOf(definition),
      bodyExample: firstMember(definition.example),
      responses: { 200: { description: `The changed ${kind}`, ...shown } },
      errors: ['precondition_failed', 'write_conflict', ...refuses, ...errors],
    },
    [`delete${one}`]: {
      ...configuration('delete'),
      method: 'DELETE',
      ...item,
      summary: `Delete ${article} ${kind}`,
      description: deletionOf(definition),
      scope: `${scope}:write`,
      responses: { 204: { description: 'Deleted' } },
      errors: [
        'precondition_failed',
        'write_conflict',
        ...(definition.usedBy === undefined ? [] : (['invalid_state'] as const)),
      ],
    },
  };
  return operations as unknown as Crud<Kind, Plural>;
}

export const paging =
  '16 items per page, or as many as `items` says. Follow the Link header or `next_cursor` to the end.';
const versions =
  'Send its ETag as `If-Match` of a change or a deletion, so that no change of another caller is lost.';
const deletion =
  'Results that were made with it stay. Running jobs continue with the data that they read at their start.';

function deletionOf({ deletion: own = deletion, usedBy }: AnyDefinition): string {
  return usedBy === undefined ? own : `If ${usedBy} refer to it, the answer is \`invalid_state\`. ${own}`;
}

type AnyDefinition = ReturnType<typeof named>;

const named = ({ kind, plural = `${kind}s`, ...given }: Definition<string, string>) => {
  const type = plural.replaceAll(' ', '_');
  return {
    /** Name of the schema, and end of the operation ids. */
    one: pascal(kind),
    many: pascal(plural),
    kind,
    kinds: plural,
    type,
    path: `/v1/${type}`,
    id: `${kind.replaceAll(' ', '_')}_id`,
    ...given,
  };
};

function factsOf(definition: AnyDefinition): Omit<ConfigurationFacts, 'action'> {
  const { type, kind, id, path, parent, fields, facts = {}, writeOnly = [], leftOut = [] } = definition;
  const given = Object.entries(fields).filter(([name]) => !writeOnly.includes(name));
  const members = [
    ...given.map(([name, schema]) => [name, (schema as { default?: unknown }).default ?? null]),
    ...Object.entries(facts).map(([name, [, initial]]) => [name, initial]),
  ];
  return {
    type,
    kind,
    id,
    path,
    ...(parent !== undefined && { parent }),
    members: Object.fromEntries(members),
    leftOut,
    references: definition.references ?? {},
    ...(definition.unique !== undefined && { unique: definition.unique }),
  };
}

function inputOf({ one, fields, rules = {} }: AnyDefinition): TSchema {
  return Body({ ...fields }, { $id: `${one}Input`, ...rules });
}

/** The schema of a PATCH: all members are optional, without defaults. Members that are optional in a POST may be null in a PATCH. */
function changeOf({ one, fields, rules = {} }: AnyDefinition): TSchema {
  const changes = Object.entries(fields).map(([name, schema]) => {
    const plain = withoutDefault(schema);
    return [name, Type.Optional(Type.IsOptional(schema) ? orNull(plain) : plain)];
  });
  return Strict(Object.fromEntries(changes), { $id: `${one}Change`, ...rules });
}

function answers({ one, id, kind, parent, fields, facts = {}, writeOnly = [], leftOut = [] }: AnyDefinition) {
  const given = Object.entries(fields).filter(([name]) => !writeOnly.includes(name));
  const members: Record<string, TSchema> = {
    [id]: Uuid(capital(kind)),
    ...(parent !== undefined && { [parent.id]: Uuid(capital(parent.kind)) }),
    ...Object.fromEntries(given.map(([name, schema]) => [name, answered(schema)])),
    ...Object.fromEntries(Object.entries(facts).map(([name, [schema]]) => [name, schema])),
    created_at: Timestamp(`When the ${kind} was created`),
    updated_at: Timestamp(`When the ${kind} changed last`),
  };
  const answer = Strict(members, { $id: one });
  if (leftOut.length === 0) return { answer, listedAnswer: answer };
  const short = Object.entries(members).filter(([name]) => !leftOut.includes(name));
  return { answer, listedAnswer: Strict(Object.fromEntries(short), { $id: `${one}Summary` }) };
}

/** Returns the schema of a member in answers: an absent optional member has its default there, or null. */
function answered(schema: TSchema): TSchema {
  const hasDefault = (schema as { default?: unknown }).default !== undefined;
  const plain = withoutDefault(schema);
  return Type.IsOptional(schema) && !hasDefault ? Nullable(plain) : plain;
}

/** Returns a copy without the default and without TypeBox's mark of an optional member. */
function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...rest } = schema as TSchema & { default?: unknown };
  return rest as TSchema;
}

function exampleOf({
  id,
  parent,
  example,
  factsExample = {},
  fields,
  facts = {},
  writeOnly = [],
}: AnyDefinition) {
  const names = Object.keys(fields).filter((name) => !writeOnly.includes(name));
  const valueFor = (name: string) => example[name] ?? (fields[name] as { default?: unknown }).default ?? null;
  return {
    [id]: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
    ...(parent !== undefined && { [parent.id]: '019a9d2e-0a11-7c3b-8d55-51a0c0ffee01' }),
    ...Object.fromEntries(names.map((name) => [name, valueFor(name)])),
    ...Object.fromEntries(Object.entries(facts).map(([name, [, initial]]) => [name, initial])),
    ...factsExample,
    created_at: '2026-11-21T09:30:00.000Z',
    updated_at: '2026-11-21T09:30:00.000Z',
  };
}

const firstMember = (example: Example) => Object.fromEntries(Object.entries(example).slice(0, 1));

const leftOutNote = ({ kind, leftOut = [] }: AnyDefinition) =>
  leftOut.length === 0 ? '' : `Without \`${leftOut.join('`, `')}\`: get one ${kind} to read these members.`;

const writeOnlyNote = ({ writeOnly = [] }: AnyDefinition) =>
  writeOnly.length === 0 ? '' : `Without \`${writeOnly.join('`, `')}\`, which is never shown.`;
