/** Whether what a request refers to exists in the tenant. */
import { UnknownReference } from '../domain/problems.ts';
import type { TenantId } from '../domain/tenant.ts';
import { configurationKey } from './keys.ts';
import type { TenantTable } from './table.ts';

export interface Reference {
  /** JSON pointer of the member that refers. */
  readonly pointer: string;
  /** Type of configuration: `templates`, `collections`, … */
  readonly type: string;
  readonly kind: string;
  readonly id: string;
}

/** Throws unknown_reference naming every reference that leads nowhere. */
export async function requireReferences(
  table: TenantTable,
  tenant: TenantId,
  references: readonly Reference[],
): Promise<void> {
  if (references.length === 0) return;
  const keys = references.map(({ type, id }) => configurationKey(tenant, type, id));
  const found = await table.getAll(keys);
  const existing = new Set(found.map(({ pk, sk }) => `${pk}\n${sk}`));
  const missing = references.filter((_, at) => !existing.has(`${keys[at]!.pk}\n${keys[at]!.sk}`));
  if (missing.length > 0) throw new UnknownReference(missing);
}
