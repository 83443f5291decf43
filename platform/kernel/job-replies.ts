/** Builds the responses that contain jobs: a new job, a job that the caller polls, and pages of jobs. */
import { jobKinds } from '../../contract/kit/job-kinds.ts';
import { type AssetId, asJobId, type TenantId } from '../../shared/ids.ts';
import { type JobType, type JobViewOf, jobView, type StoredJob } from '../../shared/jobs.ts';
import { startOrEnqueue } from '../admission/start-job.ts';
import type { AllJobs } from '../jobs/job-records.ts';
import { admissionQueue } from '../runtime/admission-queue.ts';
import { followedView, listedViews } from '../runtime/job-views.ts';
import { accepted, followed, type PageQuery, pageOf } from './replies.ts';

/** 202 with a new job. The kind of the job decides its address. */
export function acceptedJob<Type extends JobType>(job: StoredJob<Type>) {
  const body = jobView(job);
  const member = (_: string, name: string) => String(body[name as keyof typeof body]);
  return accepted(body, jobKinds[body.type].path.replace(/\{(\w+)\}/g, member));
}

/** 200 with a job. If a request recorded the job and crashed before it started the job, starts the job now. */
export async function followedJob<Type extends JobType>(job: StoredJob<Type>, tenant: TenantId) {
  await startOrEnqueue(tenant, job as StoredJob, admissionQueue());
  return followed(await followedView(job, tenant));
}

export interface JobFilters {
  readonly asset_id?: AssetId | undefined;
  readonly type?: JobType | undefined;
}

/** One page of all jobs of a tenant, of one kind, or of one asset. `path` is for its links. */
export function jobsPage<Type extends JobType>(
  query: PageQuery,
  path: string,
  { asset_id, type }: JobFilters,
  jobs: AllJobs,
) {
  const lists = [
    ...(asset_id === undefined ? [] : [`jobs#asset#${asset_id}`]),
    ...(type === undefined ? [] : [`jobs#type#${type}`]),
  ];
  const filters = lists.length === 0 ? ['jobs'] : lists;
  return pageOf(query, {
    path,
    filters,
    find: (position, size) => jobs.page(filters, position, size),
    read: async (ids) => (await listedViews(await jobs.getMany(ids.map(asJobId)))) as JobViewOf<Type>[],
  });
}

/** One page of the jobs of one kind of an asset. Throws NotFound if the asset does not exist. */
export async function jobsOfAsset<Type extends JobType>(
  type: Type,
  {
    params: { asset_id },
    query,
  }: { readonly params: { readonly asset_id: AssetId }; readonly query: PageQuery },
  { assets, all }: { readonly assets: { get(id: AssetId): Promise<unknown> }; readonly all: AllJobs },
) {
  await assets.get(asset_id);
  const path = jobKinds[type].path.replace('{asset_id}', asset_id).replace('/{job_id}', '');
  return jobsPage<Type>(query, path, { asset_id, type }, all);
}
