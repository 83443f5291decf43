/**
 * Branches of a job that go on side by side, by processes that know nothing of each other. Each has an attribute of its own
 * with how far it is, and one with when it is expected to end; neither report overwrites the other's.
 */
import { ConditionFailed, type Item, type Key, type TenantTable } from '../table/tenant-table.ts';

/** How far a branch is. */
export interface BranchState {
  /** 0 to 1. */
  readonly reached: number;
  /** RFC 3339; null where nothing is known. */
  readonly ready_at: string | null;
}

/** Those that have begun, by name. */
export type Branches = Readonly<Record<string, BranchState>>;

/** Notes how far a branch is; less than before changes nothing. Throws where the job is gone. */
export async function reachBranch(
  table: TenantTable,
  key: Key,
  name: string,
  { reached, ready_at }: BranchState,
): Promise<Branches> {
  const attribute = `branch_${name}`;
  try {
    const job = await table.update({
      key,
      expression: `SET ${attribute} = :reached, ready_${attribute} = :ready_at`,
      values: { reached, ready_at },
      condition: `attribute_exists(pk) AND (attribute_not_exists(${attribute}) OR ${attribute} < :reached)`,
    });
    return branchesOf(job);
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.current === null) throw error;
    return branchesOf(error.current);
  }
}

function branchesOf(job: Item): Branches {
  const names = Object.keys(job).flatMap((name) => /^branch_(\w+)$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        reached: job[`branch_${name}`] as number,
        ready_at: (job[`ready_branch_${name}`] as string | null | undefined) ?? null,
      },
    ]),
  );
}
