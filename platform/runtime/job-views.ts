/** Jobs as callers see them: with their position while they wait, and with their receipt once they have ended. */
import { itemAt } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import { isTerminal, type JobType, type JobViewOf, jobView, type StoredJob } from '../../shared/jobs.ts';
import { receiptOf } from '../admission/bill.ts';
import { admissionQueue } from './admission-queue.ts';
import { coreTable } from './dynamodb.ts';

/** Reads the queue once, and only if one of the jobs waits. */
export async function listedViews<Type extends JobType>(
  jobs: readonly StoredJob<Type>[],
): Promise<JobViewOf<Type>[]> {
  const isWaiting = ({ status }: StoredJob<Type>) => status === 'queued';
  const positions = jobs.some(isWaiting) ? await admissionQueue().positions() : null;
  return jobs.map((job) => {
    const position = isWaiting(job) ? positions?.get(job.job_id) : undefined;
    return { ...jobView(job), ...(position !== undefined && { queue: { position } }) };
  });
}

export async function followedView<Type extends JobType>(
  job: StoredJob<Type>,
  tenant: TenantId,
): Promise<JobViewOf<Type>> {
  if (!isTerminal(job.status)) return itemAt(await listedViews([job]), 0);
  const receipt = await receiptOf(coreTable(tenant), tenant, job.job_id);
  return { ...jobView(job), receipt };
}
