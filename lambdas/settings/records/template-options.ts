/** The options of a tenant's templates that an ingest reads. */
import { configurationKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { TemplateOptions } from '../rules/template-options.ts';

export const templatesOf = (table: TenantTable, tenant: TenantId) => ({
  /** Null if the asset has no template, or the template was deleted. */
  find: async (id: string | null): Promise<TemplateOptions | null> =>
    id === null ? null : table.get<TemplateOptions>(configurationKey(tenant, 'templates', id)),
});
