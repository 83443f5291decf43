/** Pages of the assets that meet filters, newest first. Each facet is one partition of index entries. */

import { type PageOfIds, type Position, pageOfPartitions } from '../../../platform/table/id-pages.ts';
import { facetPartition } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { Plan } from '../rules/filters.ts';

/** One page of the assets that meet a plan. */
export const findAssetPage = (
  table: TenantTable,
  tenant: TenantId,
  { groups, ...ends }: Plan,
  position: Position,
  size: number,
): Promise<PageOfIds> =>
  pageOfPartitions(
    table,
    groups.map((facets) => facets.map((name) => facetPartition(tenant, name))),
    position,
    size,
    ends,
  );
