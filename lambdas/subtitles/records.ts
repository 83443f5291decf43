/** The sound descriptions of an asset, which subtitles show. */
import type { SoundDescription } from '../../platform/shared/sound-descriptions.ts';
import type { TenantId } from '../../platform/shared/tenant.ts';
import { AssetChildren } from '../../platform/store/asset-children.ts';
import type { TenantTable } from '../../platform/store/table.ts';

export const soundDescriptionsOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<SoundDescription>(table, tenant, { prefix: 'SD', name: 'sound description' });
