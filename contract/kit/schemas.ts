/** Schemas that several resources share. */
import Type, { type TSchema } from 'typebox';
import { jobErrors } from './errors.ts';

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

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

/** Text of one line that a person gives: NFC, no control characters. */
export const Line = (description: string, maxLength = 255) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description });

/** Text on one or more lines that a person gives: NFC, no control characters but line feeds. */
export const Text = (description: string, maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f]*$',
    description,
  });

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

const JobItem = Strict({
  language_id: Type.Optional(Uuid('Language that this item is for')),
  video_clip_id: Type.Optional(Uuid('Clip that this item is for')),
  status: JobStatus,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  error: Nullable(JobErrorBody),
  result: Nullable(Type.Record(Type.String(), Type.Unknown())),
});

export const Job = Strict(
  {
    job_id: Uuid('Job'),
    type: Type.Enum(['ingest', 'translation', 'voice_over', 'partial_retranslation', 'clips', 'export']),
    asset_id: Uuid('Asset that the job works on'),
    status: JobStatus,
    progress: Type.Number({ minimum: 0, maximum: 1, description: '0 to 1; never falls' }),
    items: Type.Array(JobItem, { description: 'One item a language or clip, where the job has several' }),
    result: Nullable(Type.Record(Type.String(), Type.Unknown())),
    error: Nullable(JobErrorBody),
    created_at: Timestamp('When the job was created'),
    started_at: Nullable(Timestamp('When work began')),
    finished_at: Nullable(Timestamp('When work ended')),
  },
  { $id: 'Job' },
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
