/** Response declarations that several operations share, and those of operations that start, poll and list jobs. */
import type { TSchema } from 'typebox';
import { assetId } from './analysis-fields.ts';
import type { JobType } from './job-kinds.ts';
import { accepted, created, listed, Page, pageExample, pageParameters } from './schemas.ts';

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
