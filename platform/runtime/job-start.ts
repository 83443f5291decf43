/** What beginning a job takes, for the requests that do. */

import type { TenantId } from '../../shared/tenant.ts';
import { JobSlots } from '../admission/job-slots.ts';
import { QuotaHolds } from '../admission/reserved-quantities.ts';
import type { Beginning } from '../admission/start-job.ts';
import { AllJobs } from '../jobs/job-records.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { Usage } from '../usage/metering.ts';
import { jobExecutionsOf } from './admission-queue.ts';
import { ephemeralTable } from './dynamodb.ts';

/** @param table publishes */
export const beginningIn = (table: TenantTable, tenant: TenantId) =>
  ({
    table,
    tenant,
    all: new AllJobs(table, tenant),
    slots: new JobSlots(ephemeralTable(tenant), tenant),
    usage: new Usage(table, tenant),
    holdsOf: (metric) => new QuotaHolds(ephemeralTable(tenant), tenant, metric),
    executionsOf: jobExecutionsOf,
  }) satisfies Beginning;
