/** Jobs of every kind: work that continues after the request was answered. */
import Type from 'typebox';
import { jobKinds, jobTypes } from '../kit/job-kinds.ts';
import { AnyJob } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, jobExample, jobFollowed, jobPages, pageParameters, Strict } from '../kit/schemas.ts';

const example = jobExample('ingest');
const canceledExample = jobExample('ingest', {
  status: 'canceled',
  error: {
    code: 'canceled',
    title: 'The job was canceled',
    detail: 'A request canceled the job. Its results are removed.',
    retryable: true,
  },
  estimated_ready_at: null,
  finished_at: '2026-11-21T09:31:20.000Z',
});

const kinds = jobTypes.map((type) => `\`${type}\`: ${jobKinds[type].about.toLowerCase()}.`).join('\n');

export const listJobs = operation({
  route: 'GET /v1/jobs',
  summary: 'List jobs of every kind, newest first',
  description:
    'All jobs of the tenant, or only those of one kind, of one asset, or both. Jobs are deleted with their asset.',
  scope: 'jobs:read',
  ...jobPages(AnyJob, 'JobPage', example),
  query: Strict({
    ...pageParameters.properties,
    type: Type.Optional(Type.Enum(jobTypes, { description: `Only jobs of this kind\n${kinds}` })),
    asset_id: Type.Optional(AssetUuid('Only jobs of this asset')),
  }),
  beyondSpec: true,
});

export const getJob = operation({
  route: 'GET /v1/jobs/{job_id}',
  summary: 'Follow a job of any kind',
  description: 'The same answer as that of the path of its kind; `type` is the kind.',
  scope: 'jobs:read',
  responses: jobFollowed(AnyJob, example),
  beyondSpec: true,
});

export const cancelJob = operation({
  route: 'POST /v1/jobs/{job_id}/cancel',
  summary: 'Cancel a job',
  description:
    'The job is `canceled` at once and never changes again. If it is an ingest, its asset becomes `failed` with the error ' +
    '`canceled`. Its work stops within seconds, and its results are removed; then the asset accepts another upload. ' +
    'Canceling again gives the same answer. If the job has ended in another way, the answer is `invalid_state`.',
  scope: 'jobs:write',
  responses: {
    200: { description: 'The canceled job', body: AnyJob, example: canceledExample },
  },
  errors: ['invalid_state'],
  beyondSpec: true,
});
