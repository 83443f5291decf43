/** An operation of the API as data. Its handler is in `lambdas/<subject>/api/`. */
import type { Static, TObject, TSchema, TString } from 'typebox';
import type { ProblemCode } from './errors.ts';
import { AssetUuid, JobUuid, Line, Strict, Uuid } from './schemas.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A text answer that is not JSON, such as subtitles. */
export interface TextBody {
  readonly contentType: string;
  readonly example: string;
}

/** A binary answer, such as an EBU STL file. */
export interface BytesBody {
  readonly contentType: string;
}

export interface ResponseSpec {
  readonly description: string;
  readonly body?: TSchema | undefined;
  readonly example?: unknown;
  readonly text?: TextBody | undefined;
  readonly bytes?: BytesBody | undefined;
  /** Descriptions of the headers except X-Request-Id, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Facts of a configuration resource for `platform/kernel/crud.ts`, as plain data that a Lambda can contain. */
export interface ConfigurationFacts {
  readonly action: 'create' | 'list' | 'get' | 'update' | 'delete';
  /** Type of the stored items, and of references to the items: `templates`. */
  readonly type: string;
  /** Name in sentences: `template`. */
  readonly kind: string;
  /** Member and path parameter with the item's id: `template_id`. */
  readonly id: string;
  /** Path of the collection: `/v1/templates`. */
  readonly path: string;
  /** The resource whose path contains this resource's path. */
  readonly parent?: ParentFacts;
  /** Members of the answer except id and times, each with its default. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Members that lists leave out because of their size. */
  readonly leftOut: readonly string[];
  /** Members that contain an id of another resource, or a list of such ids. */
  readonly references: Readonly<Record<string, ReferenceTarget>>;
  /** The member whose value is unique among the items of the same parent. */
  readonly unique?: string;
}

export interface ParentFacts {
  /** Path parameter and member with the parent's id. */
  readonly id: string;
  readonly type: string;
  readonly kind: string;
}

export interface ReferenceTarget {
  /** A type of configuration, or `languages`. */
  readonly type: string;
  readonly kind: string;
  /** Member of the target that refers back, with at most `atMost` ids. Without `isList`, it shows only the first. */
  readonly mirror?: { readonly member: string; readonly isList: boolean; readonly atMost: number };
}

/** The arguments of `operation()` except the route. */
interface Definition {
  readonly summary: string;
  readonly description?: string;
  /** The scope that the API key must have. Null if any valid key is enough. */
  readonly scope: Scope | null;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyExample?: unknown;
  /** Whether an absent body counts as `{}`. */
  readonly bodyOptional?: boolean;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Error codes that `toolchain/openapi/problems.ts` does not derive from params, query, body and scope. */
  readonly errors?: readonly ProblemCode[];
  /**
   * Name of the planned feature in sentences: `Search`. A valid request is answered with 501 not_implemented, and documents, client and site
   * mark the operation as planned. Delete this line when you implement the operation.
   */
  readonly planned?: string;
  /** Whether `test/contract/specification.ts` does not list the operation. */
  readonly beyondSpec?: boolean;
  /** Only `crud()` sets this member. */
  readonly configuration?: ConfigurationFacts;
}

export interface Operation extends Definition {
  readonly method: Method;
  /** The path begins with `/v1`. */
  readonly path: string;
  readonly params?: TSchema;
}

export interface OperationSpec extends Operation {
  /** The name of its export. It is also the operationId in the OpenAPI document, and the name of the handler. */
  readonly id: string;
}

/** Validators that ajv compiles from the schemas. They change the input: they convert values and add defaults. */
export interface Validators {
  readonly params?: Validator;
  readonly query?: Validator;
  readonly body?: Validator;
}

export interface Validator {
  (data: unknown): boolean;
  errors?: ValidatorError[] | null;
}

export interface ValidatorError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

declare const specification: unique symbol;

/**
 * An operation in the form that Lambdas import from `build/contract`: its facts without schemas, and its compiled
 * validators. `Spec` is the operation in the contract. Only the compiler uses it, to check handlers against the
 * schemas.
 */
export interface CompiledOperation<Spec extends Operation = Operation> {
  readonly [specification]?: Spec;
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly scope: Scope | null;
  readonly bodyOptional: boolean;
  readonly statuses: readonly number[];
  readonly planned?: string;
  readonly configuration?: ConfigurationFacts;
  readonly validators: Validators;
}

/** Path parameters whose schema cannot be derived from their name. */
const pathParameters = {
  asset_id: AssetUuid(),
  job_id: JobUuid(),
  external_id: Line("Caller's own id, percent-encoded"),
  coi_id: Uuid('Center of interest'),
  description_id: Uuid('Sound description'),
  clip_id: Uuid('Clip'),
  video_id: Uuid('Clip'),
  video_clip_id: Uuid('Clip'),
};
type PathParameters = typeof pathParameters;

type Placeholder<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type WithParams<Route extends string> = [Placeholder<Route>] extends [never]
  ? { readonly params?: never }
  : {
      readonly params: TObject<{
        [Name in Placeholder<Route>]: Name extends keyof PathParameters ? PathParameters[Name] : TString;
      }>;
    };

/** Defines one operation. Its path parameters are derived from the placeholders of its route. */
export function operation<const Spec extends Definition & { readonly route: `${Method} /v1/${string}` }>({
  route,
  ...definition
}: Spec): Omit<Spec, 'route'> & { readonly method: Method; readonly path: string } & WithParams<
    Spec['route']
  > {
  const [method, path] = route.split(' ') as [Method, string];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const params = names.map((name) => [
    name,
    Object.hasOwn(pathParameters, name) ? pathParameters[name as keyof PathParameters] : Uuid(nameOf(name)),
  ]);
  return {
    method,
    path,
    ...(names.length > 0 && { params: Strict(Object.fromEntries(params)) }),
    ...definition,
  } as never;
}

/** Describes a path parameter by its resource: `Audio track` for `audio_track_id`. */
const nameOf = (parameter: string) => capital(parameter.slice(0, -'_id'.length).replaceAll('_', ' '));

export const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** The validated input of a handler. */
export interface Input<Spec extends Operation> {
  readonly params: StaticOf<Spec['params']>;
  readonly query: StaticOf<Spec['query']>;
  readonly body: StaticOf<Spec['body']>;
}

/** Answers are readonly, because they are built from stored items, which must not change. */
export type Frozen<Value> = Value extends string
  ? Value
  : Value extends (infer Item)[]
    ? readonly Frozen<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
      : Value;

type BodyOf<Response> = Response extends { body: infer Body extends TSchema }
  ? { readonly body: Frozen<Static<Body>> }
  : Response extends { text: TextBody }
    ? { readonly text: string; readonly contentType: string }
    : Response extends { bytes: BytesBody }
      ? { readonly bytes: Uint8Array; readonly contentType: string }
      : { readonly body?: undefined };

/** The answer of a handler: one of the declared statuses, with its body. */
export type Reply<Spec extends Operation> = {
  [Status in keyof Spec['responses']]: { readonly status: Status } & BodyOf<Spec['responses'][Status]> &
    ReplyHeaders;
}[keyof Spec['responses']];

export interface ReplyHeaders {
  readonly headers?: Readonly<Record<string, string>>;
  /** Strong ETag without its quotes. The kernel adds the quotes and handles If-None-Match. */
  readonly etag?: string;
}
