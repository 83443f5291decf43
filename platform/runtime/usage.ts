/** The usage of a tenant. The cost of each use becomes a metric of the environment. */
import type { TenantId } from '../../shared/ids.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { Usage } from '../usage/metering.ts';
import { logWithMetrics } from './log.ts';

export const usageOf = (table: TenantTable, tenant: TenantId): Usage =>
  new Usage(table, tenant, (microusd) =>
    logWithMetrics('metered', [{ name: 'MeteredCost', unit: 'None', value: microusd / 1e6 }]),
  );
