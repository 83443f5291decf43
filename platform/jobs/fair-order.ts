/** The order in which jobs begin that wait: tenants take turns, and the jobs of each go by age. */

interface OfTenant {
  readonly tenant: string;
}

/**
 * Whoever has least under way comes next; of tenants that have as much, who had the last turn goes behind, then the one whose
 * job waits longest.
 * @param running one for each job that runs
 * @param waiting oldest first
 * @param ended one for each whose place has just become free
 */
export function fairOrder<Job extends OfTenant>(
  running: readonly OfTenant[],
  waiting: readonly Job[],
  ended: readonly OfTenant[] = [],
): Job[] {
  const underWay = countsOf(running);
  const hadTurn = countsOf(ended);
  const lines = linesOf(waiting);
  const isBefore = (one: InLine<Job>, other: InLine<Job>): boolean => {
    const [mine, theirs] = [one.job.tenant, other.job.tenant];
    const less = underWay.of(mine) - underWay.of(theirs) || hadTurn.of(mine) - hadTurn.of(theirs);
    return less < 0 || (less === 0 && one.age < other.age);
  };
  return waiting.map(() => {
    const heads = lines.flatMap(([head]) => head ?? []);
    const { job } = heads.reduce((best, one) => (isBefore(one, best) ? one : best));
    lines.find(([head]) => head?.job === job)!.shift();
    underWay.add(job);
    return job;
  });
}

interface InLine<Job> {
  readonly job: Job;
  /** Its place among all that wait, the oldest first. */
  readonly age: number;
}

/** One line a tenant. */
function linesOf<Job extends OfTenant>(waiting: readonly Job[]): InLine<Job>[][] {
  const lines = new Map<string, InLine<Job>[]>();
  for (const [age, job] of waiting.entries()) {
    const line = lines.get(job.tenant);
    if (line) line.push({ job, age });
    else lines.set(job.tenant, [{ job, age }]);
  }
  return [...lines.values()];
}

function countsOf(all: readonly OfTenant[]) {
  const counts = new Map<string, number>();
  const of = (tenant: string): number => counts.get(tenant) ?? 0;
  const add = ({ tenant }: OfTenant) => counts.set(tenant, of(tenant) + 1);
  all.forEach(add);
  return { of, add };
}
