/** Annotations by callers, each stored as an item of its own. */
import { AssetChildren } from '../../../platform/records/asset-children.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { CenterOfInterest, FaceNaming } from '../rules/analysis-types.ts';

export const centersOfInterestOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<CenterOfInterest>(table, tenant, { prefix: 'COI', name: 'center of interest' });

/** Names of faces, by face id. They are stored apart from findings, so a new analysis keeps the names. */
export const faceNamingsOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<FaceNaming>(table, tenant, { prefix: 'FACE', name: 'face' });
