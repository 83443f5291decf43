/** The templates of a tenant, as far as an upload heeds them. */

import { configurationKey } from '../../../platform/store/keys.ts';
import type { TenantTable } from '../../../platform/store/table.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { TemplateOptions } from '../rules/required-engines.ts';

export const templatesOf = (table: TenantTable, tenant: TenantId) => ({
  /** What the asset's template asks for; null where it has none, or it was deleted. */
  find: async (id: string | null): Promise<TemplateOptions | null> =>
    id === null ? null : table.get<TemplateOptions>(configurationKey(tenant, 'templates', id)),
});
