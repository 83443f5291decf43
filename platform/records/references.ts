/** Checks that the references of a request exist in the tenant. */
import { languageById } from '../../shared/languages.ts';
import { UnknownReference } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { configurationKey } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';

export interface Reference {
  /** JSON pointer of the referring member. */
  readonly pointer: string;
  /** Type of configuration: `templates`, `collections`, …; or `languages`, which all tenants share. */
  readonly type: string;
  readonly kind: string;
  readonly id: string;
}

/** Throws unknown_reference with every reference that does not exist. */
export async function requireReferences(
  table: TenantTable,
  tenant: TenantId,
  references: readonly Reference[],
): Promise<void> {
  const kept = references.filter(({ type }) => type !== 'languages');
  // Two members may refer to one item. DynamoDB refuses a batch that names a key twice.
  const keys = new Map(kept.map(({ type, id }) => [`${type}#${id}`, configurationKey(tenant, type, id)]));
  const found = keys.size === 0 ? [] : await table.getAll([...keys.values()]);
  const existing = new Set(found.map(({ pk, sk }) => `${pk}\n${sk}`));
  const isThere = ({ type, id }: Reference) => {
    if (type === 'languages') return languageById(id) !== undefined;
    const { pk, sk } = configurationKey(tenant, type, id);
    return existing.has(`${pk}\n${sk}`);
  };
  const missing = references.filter((reference) => !isThere(reference));
  if (missing.length > 0) throw new UnknownReference(missing);
}
