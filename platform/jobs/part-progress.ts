/**
 * Parts of a job that are worked on side by side, by processes that know nothing of each other. Each has an attribute of
 * its own with what is done of it, so that no report overwrites another's; one that is done is only counted, so that a
 * job of a thousand parts stays a small item. A sum of such reports never falls, however often a part is begun again.
 */
import type { Pace } from '../../shared/pace.ts';
import {
  ConditionFailed,
  type Item,
  type Key,
  type TenantTable,
  type Values,
} from '../table/tenant-table.ts';

export interface Part {
  readonly index: number;
  /** What it weighs among the parts, in the unit of `planParts`: milliseconds of audio, for one. */
  readonly size: number;
}

/** What is known of all parts after a report. */
export interface Counted {
  /** How much of all is done, 0 to 1. */
  readonly share: number;
  /** How much of a part is done, in the unit of its size. */
  readonly doneOf: (part: Part) => number;
  readonly pace: Pace | undefined;
}

/** A job may have parts of two kinds, which are counted apart: attributes begin with the kind. */
export type PartKind = 'part' | 'picture';

/** The attributes that note the parts. */
export const planOf = (sizes: readonly number[], kind: PartKind): Values => ({
  [`${kind}s_planned`]: sizes.length,
  [`${kind}s_size`]: sizes.reduce((sum, size) => sum + size, 0),
});

const nameOf = (kind: PartKind, { index }: Part) => `${kind}_${index}`;

/** The job is there, and the part not yet counted as done. */
const isUnfinished = (kind: PartKind) => `attribute_exists(pk) AND NOT contains(${kind}s_done, :index)`;

export function advancePart(
  table: TenantTable,
  key: Key,
  kind: PartKind,
  part: Part,
  fraction: number,
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

/** What is refused because more is known already changes nothing; throws where the job is gone. */
async function counted(
  table: TenantTable,
  kind: PartKind,
  update: Parameters<TenantTable['update']>[0],
): Promise<Counted> {
  try {
    return countOf(await table.update(update), kind);
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.current === null) throw error;
    return countOf(error.current, kind);
  }
}

function countOf(job: Item, kind: PartKind): Counted {
  // A job whose parts an older version planned has no sizes.
  const size = (job[`${kind}s_size`] as number | undefined) ?? 0;
  const doneSize = (job[`${kind}s_done_size`] as number | undefined) ?? 0;
  const ended = job[`${kind}s_done`] as ReadonlySet<number> | undefined;
  const isPart = new RegExp(`^${kind}_\\d+$`);
  const running = Object.keys(job).filter((name) => isPart.test(name));
  const done = running.reduce((sum, name) => sum + (job[name] as number), doneSize);
  const doneOf = (part: Part) =>
    ended?.has(part.index) ? part.size : ((job[nameOf(kind, part)] as number | undefined) ?? 0);
  const pace = (kind === 'part' ? job.pace : job.picture_pace) as Pace | undefined;
  return { share: size === 0 ? 0 : Math.min(1, done / size), doneOf, pace };
}
