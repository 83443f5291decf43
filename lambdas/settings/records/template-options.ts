import { configurationKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { TemplateOptions } from '../rules/template-options.ts';

/** The copy of a template that is written when it is deleted. */
export const deletedTemplateKey = (tenant: TenantId, id: string) =>
  configurationKey(tenant, 'deleted_templates', id);

/** The template with this id, as it was at its deletion if it was deleted. Null if the id is null. */
export const findTemplate = async (
  id: string | null,
  { table, tenant }: { readonly table: TenantTable; readonly tenant: TenantId },
): Promise<TemplateOptions | null> =>
  id === null
    ? null
    : ((await table.get<TemplateOptions>(configurationKey(tenant, 'templates', id))) ??
      table.get<TemplateOptions>(deletedTemplateKey(tenant, id)));
