/**
 * Who names which item of configuration. What is named is not deleted: its users are counted beside it, in the
 * transactions that make and end each use, so that no use begins while its target goes.
 */

import { InvalidState, UnknownReference } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { type Guarded, unguarded } from '../table/guarded-writes.ts';
import { configurationKey, present, USERS, useCountKey, userKey, usesPartition } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { changing } from '../table/update-expression.ts';
import type { Reference } from './references.ts';

export interface Target {
  readonly type: string;
  /** What a sentence calls it: `template`. */
  readonly kind: string;
  readonly id: string;
}

/** How many users a refusal names. */
const NAMED = 3;
/** Set on the count of what is about to be deleted: no use of it begins any more. */
const isOpen = 'attribute_not_exists(closed)';

/** What an item names, before a change or after it. */
export interface Uses {
  /** The item's own, by which problems name it. */
  readonly path: string;
  readonly references: readonly Reference[];
}

/** Writes that turn what items named before into what they name now. */
export function usesChanged(tenant: TenantId, before: readonly Uses[], after: readonly Uses[]): Guarded[] {
  const [old, wanted] = [distinct(before), distinct(after)];
  const begun = [...wanted].filter(([name]) => !old.has(name)).map(([, use]) => use);
  const ended = [...old].filter(([name]) => !wanted.has(name)).map(([, use]) => use);
  // A transaction writes an item once: several that let one target go are counted together.
  const left = Map.groupBy(ended, ({ reference: { type, id } }) => `${type}#${id}`);
  return [
    ...begun.flatMap((use) => useBegun(tenant, use)),
    ...[...left.values()].map((uses) => unguarded(counted(tenant, uses[0]!.reference, -uses.length))),
    ...ended.map(({ path, reference: { type, id } }) =>
      unguarded({ delete: userKey(tenant, type, id, path) }),
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
    unguarded({ put: userKey(tenant, type, id, path) }),
  ];
}

/** Adds to the number of those who name the target. */
export const counted = (tenant: TenantId, { type, id }: Pick<Target, 'type' | 'id'>, by: number) => ({
  update: {
    key: useCountKey(tenant, type, id),
    expression: 'ADD uses :by',
    values: { by },
    ...(by > 0 && { condition: isOpen }),
  },
});

const isUnused = 'attribute_not_exists(uses) OR uses = :none';

/** The write of a deletion that holds only while nobody names the target. */
export const endOfUnused = (table: TenantTable, tenant: TenantId, target: Target): Guarded => ({
  write: { delete: useCountKey(tenant, target.type, target.id), condition: isUnused, values: { none: 0 } },
  refusal: () => inUse(table, tenant, target),
});

/** The same for what only its children name, which go with it. Where there are others meanwhile, it is tried again. */
export const endWithChildren = (tenant: TenantId, { type, id }: Target, children: number): Guarded =>
  unguarded({
    delete: useCountKey(tenant, type, id),
    condition: 'attribute_not_exists(uses) OR uses = :children',
    values: { children },
  });

/** From now on nobody begins to name the target; refused while somebody does. */
export const closing = (table: TenantTable, tenant: TenantId, target: Target): Guarded => ({
  write: {
    update: changing(
      useCountKey(tenant, target.type, target.id),
      { closed: true },
      { condition: isUnused, values: { none: 0 } },
    ),
  },
  refusal: () => inUse(table, tenant, target),
});

/** Throws invalid_state where somebody names the target. */
export async function requireUnused(table: TenantTable, tenant: TenantId, target: Target): Promise<void> {
  const count = await table.get<{ uses?: number }>(useCountKey(tenant, target.type, target.id));
  if ((count?.uses ?? 0) > 0) throw await inUse(table, tenant, target);
}

async function inUse(table: TenantTable, tenant: TenantId, target: Target): Promise<InvalidState> {
  const { type, id } = target;
  const [count, { items }] = await Promise.all([
    table.get<{ uses?: number }>(useCountKey(tenant, type, id)),
    table.query({ pk: usesPartition(tenant, type, id), beginsWith: USERS, limit: NAMED, consistent: true }),
  ]);
  const paths = items.map(({ sk }) => sk.slice(USERS.length));
  return usedBy(target.kind, paths, (count?.uses ?? 0) - paths.length);
}

/** @param others how many users there are beside those that are named */
export function usedBy(kind: string, paths: readonly string[], others = 0): InvalidState {
  const rest = others > 0 ? ` and ${others} more` : '';
  return new InvalidState(`The ${kind} is in use by ${paths.join(', ')}${rest}. Take it out there first.`);
}
