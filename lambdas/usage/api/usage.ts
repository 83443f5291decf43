import * as contract from '../../../build/contract/usage.js';
import { hasQuotaFor } from '../../../platform/admission/demand.ts';
import { stateOfQuota } from '../../../platform/admission/quotas.ts';
import { countedRequests } from '../../../platform/kernel/rate-limit.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable, ephemeralTable } from '../../../platform/runtime/dynamodb.ts';
import { reservationsOf } from '../../../platform/runtime/reserve-in-step.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { meterNames } from '../../../shared/usage.ts';

const services = (tenant: TenantId) => ({
  usage: usageOf(coreTable(tenant), tenant),
  reservations: reservationsOf(coreTable(tenant), tenant),
  ephemeral: ephemeralTable(tenant),
});

export const handler = resource(contract, services, {
  getCurrentUsage: async ({ now }, { usage }) => ok(await usage.current(now)),

  getHistoricalUsage: async ({ query, now }, { usage }) =>
    ok({ data: await usage.history(now, query.months) }),

  getLimits: async ({ limits, now, tenant }, { usage, reservations, ephemeral }) => {
    const { requests_per_minute: requests, concurrent_jobs: jobs } = limits;
    const limited = meterNames.filter((meter) => hasQuotaFor(limits, [meter]));
    const reserved = await Promise.all(limited.map((meter) => reservations.reservedOf(meter, now)));
    // Read after the reservations: a job that ends meanwhile is counted twice, but is never left out.
    const used = await usage.current(now);
    return ok({
      requests_per_minute:
        requests === null ? null : { limit: requests, ...(await countedRequests(ephemeral, tenant, now)) },
      concurrent_jobs: jobs === null ? null : { limit: jobs, used: await reservations.slotsHeld(now) },
      quotas: limited.map((meter, at) => stateOfQuota(meter, itemAt(reserved, at), { limits, used, now })),
    });
  },
});
