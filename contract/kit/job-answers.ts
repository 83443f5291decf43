/** Answers of operations that start, follow and list jobs. */
import type { TSchema } from 'typebox';
import type { JobType } from './job-kinds.ts';
import { accepted, listed, Page, pageExample } from './schemas.ts';

/** The answer with a running job of one kind. */
export const jobExample = (type: JobType, more: object = {}) => ({
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
  type,
  ...(type !== 'branding_upload' && { asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' }),
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

export const jobPage = <Schema extends TSchema>(schema: Schema, name: string, example: object) => ({
  200: {
    description: 'One page of jobs, newest first',
    body: Page(schema, name),
    example: pageExample(example),
    headers: listed,
  },
});
