/** The services with which requests reserve, record and start a job. */
import type { TenantId } from '../../shared/tenant.ts';
import { Reservations } from '../admission/reservations.ts';
import type { JobStart } from '../admission/start-job.ts';
import { AllJobs } from '../jobs/job-records.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { admissionQueue } from './admission-queue.ts';
import { ephemeralTable } from './dynamodb.ts';
import { usageOf } from './usage.ts';

/** @param table publishes events */
export function jobStartIn(table: TenantTable, tenant: TenantId) {
  const all = new AllJobs(table, tenant);
  const usage = usageOf(table, tenant);
  const reservations = new Reservations(ephemeralTable(tenant), tenant, { usage, jobs: all });
  const start: JobStart = { table, tenant, reservations, queue: admissionQueue() };
  return { ...start, all, usage };
}
