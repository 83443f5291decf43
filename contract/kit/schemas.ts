/** Schemas, fields and response declarations that several resources share. */
import Type, { type TSchema, type TUnsafe } from 'typebox';
import { jobErrors } from './errors.ts';
import { forms } from './forms.ts';
import type { AssetId, JobId } from './ids.ts';
import type { JobType } from './job-kinds.ts';

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

export const AssetUuid = (description = 'Asset') => Uuid(description) as unknown as TUnsafe<AssetId>;
/** A job's id: a UUID for validators and documents, and a separate type for the compiler. */
export const JobUuid = (description = 'Job') => Uuid(description) as unknown as TUnsafe<JobId>;

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}; ISO 8601, UTC` });

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An object that rejects unknown members. */
export const Strict = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: Record<string, unknown> = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

/** A whole number that is not negative. */
export const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const Fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const Url = (description: string) => Type.String({ format: 'uri', description });

export const Milliseconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 360_000_000, description: `${description}, milliseconds` });

/** The body of a POST, or an object in it. A null member counts as absent, because answers show absent members as null. */
export const Body = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: Record<string, unknown> = {},
) => {
  const members = Object.entries(properties).map(([name, schema]) => {
    return [name, Type.IsOptional(schema) ? Type.Optional(orNull(schema)) : schema];
  });
  return Strict(Object.fromEntries(members) as Properties, options);
};

/** Returns the schema, which also allows null. Uses `type` instead of `anyOf`, which would report the errors of both branches. */
export function orNull(schema: TSchema): TSchema {
  const { $id: _, type, enum: values, ...rest } = schema as Record<string, unknown>;
  return {
    ...rest,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...(values as unknown[]), null] }),
  } as TSchema;
}

/** One line of text from a person: NFC, no control characters, not blank. */
export const Line = (description: string, maxLength = 255) =>
  Type.String({ minLength: 1, maxLength, pattern: forms.line.pattern, description });

/** Text from a person, with any number of lines: NFC, no control characters except tabs and line ends. */
export const Text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: forms.text.pattern, description });

export const JobErrorBody = Strict(
  {
    code: Type.Enum(Object.keys(jobErrors) as (keyof typeof jobErrors)[], {
      description: 'Stable code; see /problems',
    }),
    title: Type.String(),
    detail: Type.String({ description: 'The cause, and what to do' }),
    retryable: Type.Boolean({ description: 'Whether creating the same job again can succeed' }),
  },
  { $id: 'JobError' },
);

export const JobStatus = Type.Enum(
  ['scheduled', 'queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'canceled'],
  { description: 'Status; succeeded, partially_succeeded, failed and canceled are final' },
);

/** An optional member with a default, which validators fill in. The OpenAPI document does not list the member as required. */
export function defaulted<Schema extends TSchema>(schema: Schema): Schema {
  return Type.Optional(schema) as unknown as Schema;
}

/** Query parameters of every list. */
export const pageParameters = Strict({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number' })),
  items: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 16, description: 'Items per page' })),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: '`next_cursor` of the previous page, instead of `page`',
    }),
  ),
});

export const Page = <Item extends TSchema>(item: Item, name: string) =>
  Strict(
    {
      data: Type.Array(item),
      page: Type.Integer({ minimum: 1, description: 'Page number' }),
      items: Type.Integer({ minimum: 1, description: 'Items per page' }),
      total: Type.Integer({
        minimum: 0,
        description:
          'Number of all items. It is exact up to 10000; with combined filters, up to 10000 entries of each filter',
      }),
      total_is_lower_bound: Type.Boolean({ description: 'Whether there are more items than `total`' }),
      next_cursor: Nullable(Type.String({ description: 'Send as `cursor` for the next page' })),
    },
    { $id: name },
  );

export const pageExample = (example: unknown) => ({
  data: [example],
  page: 1,
  items: 16,
  total: 1,
  total_is_lower_bound: false,
  next_cursor: null,
});

export const created = {
  Location: 'Path of the new resource',
  ETag: 'Version of the new resource',
} as const;

export const accepted = {
  Location: 'Path of the job',
  'Retry-After': 'Seconds to wait before the first poll',
} as const;

export const listed = { Link: 'RFC 8288: next, prev and first pages' } as const;

export const Confidence = Nullable(Fraction('Confidence of the engine'));
export const span = { start_ms: Milliseconds('Start'), end_ms: Milliseconds('End') };

/** A box in the displayed picture: 0 is left and top, 1 is right and bottom. */
export const Box = Strict(
  {
    x: Fraction('Left edge'),
    y: Fraction('Upper edge'),
    width: Fraction('Width'),
    height: Fraction('Height'),
  },
  { $id: 'Box' },
);

export const FramingSource = Type.Enum(['center_of_interest', 'face', 'motion', 'picture'], {
  description: 'Reason for the framing; picture: the middle of the picture',
});

export const assetId = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';
export const english = '8993a0fb-016d-5a01-81d7-1cebafdf70d7';
export const dates = { created_at: '2026-11-21T09:32:00.000Z', updated_at: '2026-11-21T09:32:00.000Z' };
export const dateFields = {
  created_at: Timestamp('When it was created'),
  updated_at: Timestamp('When it changed last'),
};

/** A 200 response without an ETag. */
export const shown = <Body extends TSchema, const Example>(
  description: string,
  body: Body,
  example: Example,
) => ({
  200: { description, body, example },
});

/** A 200 response with one thing and its ETag. @param kind the name of the thing in sentences: `track` */
export const found = <Body extends TSchema>(
  kind: string,
  body: Body,
  example?: unknown,
  version = `Version of the ${kind}`,
) => ({ 200: { description: `The ${kind}`, body, example, headers: { ETag: version } } });

/** A 201 response with a new thing. @param kind the name of the thing in sentences: `track` */
export const made = <Body extends TSchema>(kind: string, body: Body, example: unknown) => ({
  201: { description: `The new ${kind}`, body, example, headers: created },
});

/** The query and the answer of a list. @param name the `$id` of the schema of a page */
export const pages = <Item extends TSchema>(
  description: string,
  item: Item,
  name: string,
  example?: unknown,
) => ({
  query: pageParameters,
  responses: {
    200: {
      description,
      body: Page(item, name),
      example: example === undefined ? undefined : pageExample(example),
      headers: listed,
    },
  },
});

/** The example of a running job. @param subject members that say what the job works on */
export const jobExample = (type: JobType, more: object = {}, subject: object = { asset_id: assetId }) => ({
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
  type,
  ...subject,
  status: 'running',
  progress: 0.4,
  items: [],
  result: null,
  error: null,
  created_at: '2026-11-21T09:31:00.000Z',
  started_at: '2026-11-21T09:31:01.000Z',
  estimated_ready_at: '2026-11-21T09:33:40.000Z',
  finished_at: null,
  ...more,
});

export const jobStarted = <Schema extends TSchema>(body: Schema, example: object) => ({
  202: { description: 'The job', body, example, headers: accepted },
});

export const jobFollowed = <Schema extends TSchema>(body: Schema, example: object) => ({
  200: {
    description: 'The job',
    body,
    example,
    headers: { 'Retry-After': 'Seconds to wait before the next poll, while the job runs' },
  },
});

export const jobPages = <Schema extends TSchema>(schema: Schema, name: string, example: object) =>
  pages('One page of jobs, newest first', schema, name, example);
