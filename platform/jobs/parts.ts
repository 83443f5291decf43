/**
 * Parts of a job that are worked on side by side, by processes that know nothing of each other. Each has an attribute of
 * its own with what is done of it, so that no report overwrites another's; one that is done is only counted, so that a
 * job of a thousand parts stays a small item. A sum of such reports never falls, however often a part is begun again.
 */
import type { Pace } from '../shared/pace.ts';
import { ConditionFailed, type Item, type Key, type TenantTable, type Values } from '../store/table.ts';

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

/** The attributes that note the parts. */
export const planOf = (sizes: readonly number[]): Values => ({
  parts_planned: sizes.length,
  parts_size: sizes.reduce((sum, size) => sum + size, 0),
});

const nameOf = ({ index }: Part) => `part_${index}`;
const isPart = /^part_\d+$/;

/** The job is there, and the part not yet counted as done. */
const isUnfinished = 'attribute_exists(pk) AND NOT contains(parts_done, :index)';

export function advancePart(table: TenantTable, key: Key, part: Part, fraction: number): Promise<Counted> {
  const name = nameOf(part);
  return counted(table, {
    key,
    expression: `SET ${name} = :reached`,
    values: { reached: Math.floor(part.size * Math.min(1, fraction)), index: part.index },
    condition: `${isUnfinished} AND (attribute_not_exists(${name}) OR ${name} < :reached)`,
  });
}

export function completePart(table: TenantTable, key: Key, part: Part): Promise<Counted> {
  return counted(table, {
    key,
    expression: `ADD parts_done :part, parts_done_size :size REMOVE ${nameOf(part)}`,
    values: { part: new Set([part.index]), size: part.size, index: part.index },
    condition: isUnfinished,
  });
}

/** What is refused because more is known already changes nothing; throws where the job is gone. */
async function counted(table: TenantTable, update: Parameters<TenantTable['update']>[0]): Promise<Counted> {
  try {
    return countOf(await table.update(update));
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.current === null) throw error;
    return countOf(error.current);
  }
}

function countOf(job: Item): Counted {
  const {
    parts_size = 0,
    parts_done_size = 0,
    parts_done,
    pace,
  } = job as {
    parts_size?: number;
    parts_done_size?: number;
    parts_done?: ReadonlySet<number>;
    pace?: Pace;
  };
  const running = Object.keys(job).filter((name) => isPart.test(name));
  const done = running.reduce((sum, name) => sum + (job[name] as number), parts_done_size);
  // A job whose parts an older version planned has no sizes.
  const doneOf = (part: Part) =>
    parts_done?.has(part.index) ? part.size : ((job[nameOf(part)] as number | undefined) ?? 0);
  return { share: parts_size === 0 ? 0 : Math.min(1, done / parts_size), doneOf, pace };
}
