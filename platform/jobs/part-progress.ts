/**
 * Progress of the parts of a job that separate processes work on in parallel. Each part has its own attribute, so that
 * no report overwrites another. A finished part is only counted, so that a job with a thousand parts stays a small
 * item. The sum of the reports never falls, even if a part starts again.
 */
import type { Estimate, Pace } from '../../shared/pace.ts';
import type { Item, Key, Update, Values } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';

export interface Part {
  readonly index: number;
  /** The weight of the part among all parts, in the unit of `planParts`, such as milliseconds of audio. */
  readonly size: number;
}

export interface Counted {
  readonly share: number;
  /** The finished amount of a part, in the unit of its size. */
  readonly doneOf: (part: Part) => number;
  readonly pace: Pace | undefined;
  /** The last estimate that callers saw. */
  readonly estimate: Estimate | null;
}

/** A job may have parts of two kinds, which are counted separately. Attribute names begin with the kind. */
export type PartKind = 'part' | 'picture';

export const planOf = (sizes: readonly number[], kind: PartKind): Values => ({
  [`${kind}s_planned`]: sizes.length,
  [`${kind}s_size`]: sizes.reduce((sum, size) => sum + size, 0),
});

const nameOf = (kind: PartKind, { index }: Part) => `${kind}_${index}`;

/** Condition: the job exists, and the part is not finished. */
const isUnfinished = (kind: PartKind) => `attribute_exists(pk) AND NOT contains(${kind}s_done, :index)`;

export function advancePart(
  table: TenantTable,
  key: Key,
  { kind, part, fraction }: { readonly kind: PartKind; readonly part: Part; readonly fraction: number },
): Promise<Counted> {
  const name = nameOf(kind, part);
  return counted(table, kind, {
    key,
    expression: `SET ${name} = :reached`,
    values: { reached: Math.floor(part.size * Math.min(1, fraction)), index: part.index },
    condition: `${isUnfinished(kind)} AND (attribute_not_exists(${name}) OR ${name} < :reached)`,
  });
}

export function completePart(table: TenantTable, key: Key, kind: PartKind, part: Part): Promise<Counted> {
  return counted(table, kind, {
    key,
    expression: `ADD ${kind}s_done :part, ${kind}s_done_size :size REMOVE ${nameOf(kind, part)}`,
    values: { part: new Set([part.index]), size: part.size, index: part.index },
    condition: isUnfinished(kind),
  });
}

/** A report that is older than the stored progress has no effect. Throws if the job was deleted. */
async function counted(table: TenantTable, kind: PartKind, update: Update): Promise<Counted> {
  return countOf(await table.updateOrRead(update), kind);
}

function countOf(job: Item, kind: PartKind): Counted {
  // Jobs of earlier versions have no sizes.
  const size = (job[`${kind}s_size`] as number | undefined) ?? 0;
  const doneSize = (job[`${kind}s_done_size`] as number | undefined) ?? 0;
  const ended = job[`${kind}s_done`] as ReadonlySet<number> | undefined;
  const isPart = new RegExp(`^${kind}_\\d+$`);
  const running = Object.keys(job).filter((name) => isPart.test(name));
  const done = running.reduce((sum, name) => sum + (job[name] as number), doneSize);
  const doneOf = (part: Part) =>
    ended?.has(part.index) ? part.size : ((job[nameOf(kind, part)] as number | undefined) ?? 0);
  const pace = (kind === 'part' ? job.pace : job.picture_pace) as Pace | undefined;
  const ready_at = job.estimated_ready_at as string | null | undefined;
  const at = job.estimated_at as number | undefined;
  const estimate = ready_at && at !== undefined ? { ready_at: Date.parse(ready_at), at } : null;
  return { share: size === 0 ? 0 : Math.min(1, done / size), doneOf, pace, estimate };
}
