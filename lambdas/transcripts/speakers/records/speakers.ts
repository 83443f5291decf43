/** The stored speakers of an asset. Names are unique, because segments can refer to speakers by name. */

import { AssetChildren } from '../../../../platform/records/asset-children.ts';
import type { TenantTable } from '../../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../../shared/tenant.ts';
import type { Speaker } from '../rules/speakers.ts';

export const speakersOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<Speaker>(table, tenant, { prefix: 'SPK', name: 'speaker', unique: 'name' });
