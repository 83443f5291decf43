import * as contract from '../../../build/contract/usage.js';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import type { TenantId } from '../../../shared/ids.ts';

const services = (tenant: TenantId) => ({ usage: usageOf(coreTable(tenant), tenant) });

export const handler = resource(contract, services, {
  getCurrentUsage: async ({ now }, { usage }) => ok(await usage.current(now)),

  getHistoricalUsage: async ({ query, now }, { usage }) =>
    ok({ data: await usage.history(now, query.months) }),
});
