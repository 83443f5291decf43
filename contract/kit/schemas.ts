/** Schemas that several resources share. */
import Type, { type TSchema, type TUnsafe } from 'typebox';
import { jobErrors } from './errors.ts';
import { forms } from './forms.ts';
import type { AssetId, JobId } from './ids.ts';

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** An asset's id: any UUID to validators and documents, a type of its own to the compiler. */
export const AssetUuid = (description = 'Asset') => Uuid(description) as unknown as TUnsafe<AssetId>;
/** A job's id, likewise. */
export const JobUuid = (description = 'Job') => Uuid(description) as unknown as TUnsafe<JobId>;

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}; ISO 8601, UTC` });

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An object that rejects members it does not name. */
export const Strict = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: Record<string, unknown> = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const Milliseconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 360_000_000, description: `${description}, milliseconds` });

/**
 * The body of a POST, or an object in it: what may be left out may also be null, as answers show it. Validators take null
 * for absent there, so that handlers see neither.
 */
export const Body = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: Record<string, unknown> = {},
) => {
  const members = Object.entries(properties).map(([name, schema]) => {
    return [name, Type.IsOptional(schema) ? Type.Optional(orNull(schema)) : schema];
  });
  return Strict(Object.fromEntries(members) as Properties, options);
};

/** The schema, or null: in place, since `anyOf` would report the faults of both branches. */
export function orNull(schema: TSchema): TSchema {
  const { $id: _, type, enum: values, ...rest } = schema as Record<string, unknown>;
  return {
    ...rest,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...(values as unknown[]), null] }),
  } as TSchema;
}

/** Text of one line that a person gives: NFC, no control characters, not blank. */
export const Line = (description: string, maxLength = 255) =>
  Type.String({ minLength: 1, maxLength, pattern: forms.line.pattern, description });

/** Text on one or more lines that a person gives: NFC, no control characters but tabs and the ends of lines. */
export const Text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: forms.text.pattern, description });

export const JobErrorBody = Strict(
  {
    code: Type.Enum(Object.keys(jobErrors) as (keyof typeof jobErrors)[], {
      description: 'Stable code; see /problems',
    }),
    title: Type.String(),
    detail: Type.String({ description: 'What was found, and what to do' }),
    retryable: Type.Boolean({ description: 'Whether creating the job again can succeed unchanged' }),
  },
  { $id: 'JobError' },
);

export const JobStatus = Type.Enum(
  ['scheduled', 'queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'canceled'],
  { description: 'succeeded, partially_succeeded, failed and canceled never change again' },
);

export const pageQuery = {
  page: { type: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number' }) },
  items: {
    type: Type.Integer({ minimum: 1, maximum: 100, default: 16, description: 'Items a page' }),
  },
  cursor: {
    type: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: '`next_cursor` of the page before, instead of `page`',
    }),
  },
} as const;

/** One page of a list. */
export const Page = <Item extends TSchema>(item: Item, name: string) =>
  Strict(
    {
      data: Type.Array(item),
      page: Type.Integer({ minimum: 1, description: 'Page number' }),
      items: Type.Integer({ minimum: 1, description: 'Items a page' }),
      total: Type.Integer({
        minimum: 0,
        description:
          'All items; exact up to 10000, where filters are combined as far as 10000 entries of each go',
      }),
      total_is_lower_bound: Type.Boolean({ description: 'Whether there are more than `total`' }),
      next_cursor: Nullable(Type.String({ description: 'Send as `cursor` for the next page' })),
    },
    { $id: name },
  );

/** A page that holds all there is: one. */
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
  'Retry-After': 'Seconds until the first look is worth it',
} as const;

export const listed = { Link: 'RFC 8288: next, prev and first pages' } as const;
