/** What beginning a job takes, for the requests that do. */

import type { TenantId } from '../../shared/tenant.ts';
import type { Beginning } from '../jobs/begun.ts';
import { AllJobs } from '../jobs/records.ts';
import { JobSlots } from '../jobs/slots.ts';
import type { TenantTable } from '../store/table.ts';
import { QuotaHolds } from '../usage/holds.ts';
import { Usage } from '../usage/records.ts';
import { ephemeralTable } from './dynamodb.ts';
import { jobExecutionsOf } from './turns.ts';

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
