/** Pages of jobs: all jobs of a tenant, of one kind, or of one asset. */

import { type AssetId, asJobId } from '../../shared/ids.ts';
import type { JobType, JobViewOf } from '../../shared/jobs.ts';
import type { AllJobs } from '../jobs/job-records.ts';
import { listedViews } from '../runtime/job-views.ts';
import { type PageQuery, pageOf } from './pages.ts';

export interface JobFilters {
  readonly asset_id?: AssetId | undefined;
  readonly type?: JobType | undefined;
}

/** @param path of the list, for its links; `query` contains the filters too */
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
