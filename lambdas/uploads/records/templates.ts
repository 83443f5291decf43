/** The templates of a tenant, as far as an upload heeds them. */

import { configurationKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { Asked } from '../rules/required-engines.ts';

export const templatesOf = (table: TenantTable, tenant: TenantId) => ({
  /** What the asset's template asks for; null where it has none, or it was deleted. */
  find: async (id: string | null): Promise<Asked | null> =>
    id === null ? null : table.get<Asked>(configurationKey(tenant, 'templates', id)),
});
