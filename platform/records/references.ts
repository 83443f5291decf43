/** Checks that the references of a request exist in the tenant. */
import type { TenantId } from '../../shared/ids.ts';
import { languageById } from '../../shared/languages.ts';
import { UnknownReference } from '../../shared/problems.ts';
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

/** The types of items that members of several resources refer to. */
const targets = {
  language_id: { type: 'languages', kind: 'language' },
  subtitles_language_id: { type: 'languages', kind: 'language' },
  template_id: { type: 'templates', kind: 'template' },
  collection_id: { type: 'collections', kind: 'collection' },
  branding_id: { type: 'brandings', kind: 'branding' },
} as const;

/** The references of these members, in this order. @param path pointer of the object that has the members */
export const referencesIn = <Member extends keyof typeof targets>(
  given: { readonly [Name in Member]?: string | null | undefined },
  members: readonly Member[],
  path = '',
): Reference[] =>
  members.flatMap((member) => {
    const id: string | null = given[member] ?? null;
    const { type, kind } = targets[member];
    return id === null ? [] : [{ pointer: `${path}/${member}`, type, kind, id }];
  });

/** Throws unknown_reference with every reference that does not exist. */
export async function requireReferences(
  table: TenantTable,
  tenant: TenantId,
  references: readonly Reference[],
): Promise<void> {
  const kept = references.filter(({ type }) => type !== 'languages');
  const found = await table.getAll(kept.map(({ type, id }) => configurationKey(tenant, type, id)));
  const existing = new Set(found.map(({ pk, sk }) => `${pk}\n${sk}`));
  const isThere = ({ type, id }: Reference) => {
    if (type === 'languages') return languageById(id) !== undefined;
    const { pk, sk } = configurationKey(tenant, type, id);
    return existing.has(`${pk}\n${sk}`);
  };
  const missing = references.filter((reference) => !isThere(reference));
  if (missing.length > 0) throw new UnknownReference(missing);
}
