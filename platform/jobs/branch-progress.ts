/**
 * Progress of the branches of a job that run in parallel, in separate processes. Each branch has one attribute for its
 * progress and one for its expected end, so that no report overwrites the report of another branch.
 */
import type { Item, Key } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';

export interface BranchState {
  /** 0 to 1. */
  readonly reached: number;
  /** RFC 3339; null if not known. */
  readonly ready_at: string | null;
}

/** The branches that have started, by name. */
export type Branches = Readonly<Record<string, BranchState>>;

/** Stores the progress of a branch. A lower progress than the stored one has no effect. Throws if the job was deleted. */
export async function reachBranch(
  table: TenantTable,
  key: Key,
  name: string,
  { reached, ready_at }: BranchState,
): Promise<Branches> {
  const attribute = `branch_${name}`;
  const job = await table.updateOrRead({
    key,
    expression: `SET ${attribute} = :reached, ready_${attribute} = :ready_at`,
    values: { reached, ready_at },
    condition: `attribute_exists(pk) AND (attribute_not_exists(${attribute}) OR ${attribute} < :reached)`,
  });
  return branchesOf(job);
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
