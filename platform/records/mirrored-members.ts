/**
 * Members that two items show: the list of blacklists of a template, and the template of each blacklist. A change of
 * one side writes the other side in the same transaction.
 */
import type { ReferenceTarget } from '../../contract/kit/operation.ts';
import type { TenantId } from '../../shared/ids.ts';
import { Problem, UnknownReference } from '../../shared/problems.ts';
import { type Guarded, unguarded } from '../table/guarded-writes.ts';
import { configurationKey } from '../table/keys.ts';
import { buildUpdate, type Item, type Values } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { NAMED, usedBy } from './reference-counts.ts';

/** A member with a counterpart in the item that it refers to. */
export interface Mirrored {
  readonly member: string;
  readonly target: ReferenceTarget & { readonly mirror: NonNullable<ReferenceTarget['mirror']> };
}

export interface Change {
  readonly id: string;
  /** Members before and after; null if the item is new or deleted. */
  readonly before: Values | null;
  readonly after: Values | null;
  readonly now: Date;
}

/** The writes of the other sides. Throws invalid_state if an item has no room for another one. */
export async function mirrorWrites(
  table: TenantTable,
  tenant: TenantId,
  mirrored: readonly Mirrored[],
  change: Change,
): Promise<Guarded[]> {
  const writes = await Promise.all(mirrored.map((one) => writesOf(table, tenant, one, change)));
  return writes.flat();
}

/** Throws invalid_state if another item lists this one. */
export function requireUnlisted(mirrored: readonly Mirrored[], kind: string, item: Values): void {
  for (const { member, target } of mirrored) {
    const holders = idsIn(item[member]);
    if (holders.length === 0) continue;
    const named = holders.slice(0, NAMED).map((holder) => pathOf(target, holder));
    throw usedBy(kind, named, holders.length - named.length);
  }
}

const pathOf = ({ type }: ReferenceTarget, id: string) => `/v1/${type}/${id}`;

/** The ids of a mirrored member. A member that shows one id may have several. */
export const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];

async function writesOf(
  table: TenantTable,
  tenant: TenantId,
  mirrored: Mirrored,
  { id, before, after, now }: Change,
): Promise<Guarded[]> {
  const { member, target } = mirrored;
  const [old, wanted] = [idsIn(before?.[member]), idsIn(after?.[member])];
  const changed = [
    ...wanted.filter((one) => !old.includes(one)),
    ...old.filter((one) => !wanted.includes(one)),
  ];
  if (changed.length === 0) return [];
  const others = await table.getAll(changed.map((one) => configurationKey(tenant, target.type, one)));
  // The other item may have been deleted after the request was checked. If it is deleted later, the transaction is
  // refused.
  const removed = wanted.filter((one) => changed.includes(one) && !others.some(({ sk }) => sk === one));
  if (removed.length > 0) throw new UnknownReference(removed.map((one) => referenceTo(mirrored, after, one)));
  return others.flatMap((other) => {
    const isNamed = wanted.includes(other.sk);
    const { pointer } = referenceTo(mirrored, after, other.sk);
    const value = otherSide(mirrored, other, { id, isNamed, pointer });
    const current = other[target.mirror.member];
    return JSON.stringify(value) === JSON.stringify(current ?? null)
      ? []
      : [changeOf(other, mirrored, value, now)];
  });
}

/** The pointer, kind and id of a reference, for problems. */
function referenceTo({ member, target }: Mirrored, after: Values | null, id: string) {
  const given = after?.[member];
  const pointer = Array.isArray(given) ? `/${member}/${given.indexOf(id)}` : `/${member}`;
  return { pointer, kind: target.kind, id };
}

/** The member of the other item, after this item was added (`isNamed`) or removed. */
function otherSide(
  { target }: Mirrored,
  other: Item,
  { id, isNamed, pointer }: { readonly id: string; readonly isNamed: boolean; readonly pointer: string },
) {
  const { member, atMost, isList } = target.mirror;
  const stored = (ids: readonly string[]) => (isList ? ids : compact(ids));
  const listed = idsIn(other[member]).filter((one) => one !== id || isNamed);
  if (!isNamed || listed.includes(id)) return stored(listed);
  if (listed.length < atMost) return stored([...listed, id]);
  const what = isList ? 'of them' : `${member}s`;
  const detail = `${pathOf(target, other.sk)} has ${atMost} ${what} already, which is all that it takes.`;
  throw new Problem('invalid_state', detail, { findings: [{ pointer, code: 'too_many', detail }] });
}

/** A member that shows one id is stored as a list only if it has several. */
export const compact = (ids: readonly string[]) => (ids.length > 1 ? ids : (ids[0] ?? null));

function changeOf({ pk, sk, version }: Item, { target }: Mirrored, value: unknown, now: Date): Guarded {
  return unguarded({
    update: buildUpdate(
      { pk, sk },
      { [target.mirror.member]: value, updated_at: now.toISOString() },
      { raises: 'version', condition: '#version = :seen', values: { seen: version } },
    ),
  });
}
