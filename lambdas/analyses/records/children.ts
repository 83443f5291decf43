/** What of an asset's analyses is kept as items of its own. */
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { AssetChildren } from '../../../platform/store/asset-children.ts';
import type { TenantTable } from '../../../platform/store/table.ts';
import type { CenterOfInterest } from '../rules/analyses.ts';

export const centersOfInterestOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<CenterOfInterest>(table, tenant, { prefix: 'COI', name: 'center of interest' });
