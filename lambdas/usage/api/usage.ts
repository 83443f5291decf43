import * as contract from '../../../build/contract/usage.js';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import type { TenantId } from '../../../shared/ids.ts';

const services = (tenant: TenantId) => ({ usage: new Usage(coreTable(tenant), tenant) });

export const handler = resource(contract, services, {
  getCurrentUsage: async ({ now }, { usage }) => ok(await usage.current(now)),

  getHistoricalUsage: async ({ query, now }, { usage }) =>
    ok({ data: await usage.history(now, query.months) }),
});
