/** What of an asset's analyses is kept as items of its own. */

import { AssetChildren } from '../../../platform/records/asset-children.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { CenterOfInterest, FaceNaming } from '../rules/analysis-types.ts';

export const centersOfInterestOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<CenterOfInterest>(table, tenant, { prefix: 'COI', name: 'center of interest' });

/** Names of faces, by the face: apart from what analyses find, so that a new one leaves them as they are. */
export const faceNamingsOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<FaceNaming>(table, tenant, { prefix: 'FACE', name: 'face' });
