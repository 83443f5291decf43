/**
 * References between items of configuration. An item that others refer to (its referrers) cannot be deleted. The
 * transactions that add and remove references count the referrers, so that no reference is added while its target is
 * deleted.
 */
import { itemAt } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import { InvalidState, UnknownReference } from '../../shared/problems.ts';
import { type Guarded, unguarded } from '../table/guarded-writes.ts';
import {
  configurationKey,
  present,
  REFERRERS,
  referrerKey,
  useCountKey,
  usesPartition,
} from '../table/keys.ts';
import { buildUpdate } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import type { Reference } from './references.ts';

export interface Target {
  readonly type: string;
  /** The name of one item in messages: `template`. */
  readonly kind: string;
  readonly id: string;
}

/** The maximum number of referrers that a refusal names. */
export const NAMED = 3;
/** The condition for a new reference. `closed` is set before an item is deleted. */
const isOpen = 'attribute_not_exists(closed)';

/** The references of an item, before or after a change. */
export interface Uses {
  /** The path of the item, for problems. */
  readonly path: string;
  readonly references: readonly Reference[];
}

/** The writes that replace the references of `before` by those of `after`. */
export function usesChanged(tenant: TenantId, before: readonly Uses[], after: readonly Uses[]): Guarded[] {
  const [old, wanted] = [distinct(before), distinct(after)];
  const added = [...wanted].filter(([name]) => !old.has(name)).map(([, use]) => use);
  const ended = [...old].filter(([name]) => !wanted.has(name)).map(([, use]) => use);
  // A transaction writes an item only once: removed references to one target are counted together.
  const left = Map.groupBy(ended, ({ reference: { type, id } }) => `${type}#${id}`);
  return [
    ...added.flatMap((use) => useBegun(tenant, use)),
    ...[...left.values()].map((uses) => unguarded(counted(tenant, itemAt(uses, 0).reference, -uses.length))),
    ...ended.map(({ path, reference: { type, id } }) =>
      unguarded({ delete: referrerKey(tenant, type, id, path) }),
    ),
  ];
}

interface Use {
  readonly path: string;
  readonly reference: Reference;
}

const distinct = (all: readonly Uses[]): Map<string, Use> =>
  new Map(
    all.flatMap(({ path, references }) =>
      references.map((reference) => [`${path} ${reference.type}#${reference.id}`, { path, reference }]),
    ),
  );

function useBegun(tenant: TenantId, { path, reference }: Use): Guarded[] {
  const { type, id } = reference;
  const refusal = () => new UnknownReference([reference]);
  return [
    { write: { check: configurationKey(tenant, type, id), condition: present }, refusal },
    { write: counted(tenant, reference, 1), refusal },
    unguarded({ put: referrerKey(tenant, type, id, path) }),
  ];
}

export const counted = (tenant: TenantId, { type, id }: Pick<Target, 'type' | 'id'>, by: number) => ({
  update: {
    key: useCountKey(tenant, type, id),
    expression: 'ADD uses :by',
    values: { by },
    ...(by > 0 && { condition: isOpen }),
  },
});

const isUnused = 'attribute_not_exists(uses) OR uses = :none';

export const endOfUnused = (table: TenantTable, tenant: TenantId, target: Target): Guarded => ({
  write: { delete: useCountKey(tenant, target.type, target.id), condition: isUnused, values: { none: 0 } },
  refusal: () => inUse(table, tenant, target),
});

/**
 * Like `endOfUnused`, for a target whose only referrers are its children, which are deleted too. If it has other
 * referrers, the deletion is tried again.
 */
export const endWithChildren = (tenant: TenantId, { type, id }: Target, children: number): Guarded =>
  unguarded({
    delete: useCountKey(tenant, type, id),
    condition: 'attribute_not_exists(uses) OR uses = :children',
    values: { children },
  });

/** The write that allows no new referrers of the target. It fails while the target has referrers. */
export const closing = (table: TenantTable, tenant: TenantId, target: Target): Guarded => ({
  write: {
    update: buildUpdate(
      useCountKey(tenant, target.type, target.id),
      { closed: true },
      { condition: isUnused, values: { none: 0 } },
    ),
  },
  refusal: () => inUse(table, tenant, target),
});

/** Throws invalid_state while the target has referrers. */
export async function requireUnused(table: TenantTable, tenant: TenantId, target: Target): Promise<void> {
  const count = await table.get<{ uses?: number }>(useCountKey(tenant, target.type, target.id));
  if ((count?.uses ?? 0) > 0) throw await inUse(table, tenant, target);
}

async function inUse(table: TenantTable, tenant: TenantId, target: Target): Promise<InvalidState> {
  const { type, id } = target;
  const [count, { items }] = await Promise.all([
    table.get<{ uses?: number }>(useCountKey(tenant, type, id)),
    table.query({
      pk: usesPartition(tenant, type, id),
      beginsWith: REFERRERS,
      limit: NAMED,
      consistent: true,
    }),
  ]);
  const paths = items.map(({ sk }) => sk.slice(REFERRERS.length));
  return usedBy(target.kind, paths, (count?.uses ?? 0) - paths.length);
}

/** @param others the number of referrers that `paths` does not list */
export function usedBy(kind: string, paths: readonly string[], others = 0): InvalidState {
  const rest = others > 0 ? ` and ${others} more` : '';
  return new InvalidState(`The ${kind} is in use by ${paths.join(', ')}${rest}. Take it out there first.`);
}
