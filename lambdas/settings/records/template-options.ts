import { configurationKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { TemplateOptions } from '../rules/template-options.ts';

/** The template with this id. Null if the id is null or the template was deleted. */
export const findTemplate = async (
  id: string | null,
  { table, tenant }: { readonly table: TenantTable; readonly tenant: TenantId },
): Promise<TemplateOptions | null> =>
  id === null ? null : table.get<TemplateOptions>(configurationKey(tenant, 'templates', id));
