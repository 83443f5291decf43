/** What the tenant has used. */
import * as contract from '../../contract/usage.ts';
import { Usage } from '../data/usage.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { ok } from './replies.ts';

const services = (tenant: TenantId) => ({ usage: new Usage(coreTable(tenant), tenant) });

export const handler = resource(contract, services, {
  getCurrentUsage: async ({ now }, { usage }) => ok(await usage.current(now)),

  getHistoricalUsage: async ({ query, now }, { usage }) =>
    ok({ data: await usage.history(now, query.months) }),
});
