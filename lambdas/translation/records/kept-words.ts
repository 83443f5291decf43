/** Words that translations of an asset keep: those of the whitelists and dictionaries that its template names. */
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { configurationKey } from '../../../platform/store/keys.ts';
import type { TenantTable } from '../../../platform/store/table.ts';

interface Template {
  readonly whitelist_ids?: readonly string[] | null;
  readonly domain_dictionary_ids?: readonly string[] | null;
}

/** None where the template is gone; a list that is gone has none. */
export async function keptWords(
  table: TenantTable,
  tenant: TenantId,
  templateId: string | null,
): Promise<string[]> {
  if (templateId === null) return [];
  const template = await table.get<Template>(configurationKey(tenant, 'templates', templateId));
  const all = <List>(type: string, ids: readonly string[] | null | undefined) =>
    table.getAll<List>((ids ?? []).map((id) => configurationKey(tenant, type, id)));
  const [whitelists, dictionaries] = await Promise.all([
    all<{ words?: readonly string[] }>('whitelists', template?.whitelist_ids),
    all<{ dictionary?: Readonly<Record<string, unknown>> }>('dictionaries', template?.domain_dictionary_ids),
  ]);
  return [
    ...whitelists.flatMap(({ words = [] }) => words),
    ...dictionaries.flatMap(({ dictionary = {} }) => Object.keys(dictionary)),
  ];
}
