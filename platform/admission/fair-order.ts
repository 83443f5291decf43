/**
 * The order in which jobs begin that wait: tenants take turns, and the jobs of each go by age. A job stands in several lines,
 * that of all jobs and those before the providers that it uses, and begins when each has a place for it.
 */
import type { Places } from '../../shared/provider-capacity.ts';

interface OfTenant {
  readonly tenant: string;
}

/** A job that has a place in these lines, or had. */
export interface Placed extends OfTenant {
  readonly lines: readonly string[];
}

export interface InLine extends OfTenant {
  readonly places: Places;
}

export interface Turn<Job> {
  readonly job: Job;
  /** Lines that have no place for it: none where it may begin. */
  readonly full: readonly string[];
}

/**
 * Whoever has least under way in the line that is scarcest comes next; of tenants that have as much, who had the last turn goes
 * behind, then the one whose job waits longest. Who cannot begin holds up nobody in other lines, but the first of them keeps a place
 * for itself in each: else those who need less of them would go before it for ever.
 * @param running one for each job that runs
 * @param waiting oldest first
 * @param ended one for each whose place has just become free
 */
export function fairOrder<Job extends InLine>(
  running: readonly Placed[],
  waiting: readonly Job[],
  ended: readonly Placed[] = [],
): Turn<Job>[] {
  const taken = new Counts(running.flatMap(({ lines }) => lines));
  const underWay = new Counts(running.flatMap(ofTenant));
  const hadTurn = new Counts(ended.flatMap(ofTenant));
  const kept = new Set<string>();
  const queues = queuesOf(waiting, (places) => scarcest(places, taken));
  const isBefore = (one: Queued<Job>, other: Queued<Job>): boolean => {
    const less = underWay.of(one.place) - underWay.of(other.place);
    const order = less || hadTurn.of(one.place) - hadTurn.of(other.place);
    return order < 0 || (order === 0 && one.age < other.age);
  };
  return waiting.map(() => {
    const heads = queues.flatMap(([head]) => head ?? []);
    const { job, place } = heads.reduce((best, one) => (isBefore(one, best) ? one : best));
    queues.find(([head]) => head?.job === job)!.shift();
    const lines = Object.keys(job.places);
    const full = lines.filter((line) => taken.of(line) >= job.places[line]!);
    const begins = full.length === 0;
    underWay.add(...(begins ? ofTenant({ tenant: job.tenant, lines }) : [place]));
    const free = lines.filter((line) => !full.includes(line) && (begins || !kept.has(line)));
    taken.add(...free);
    if (!begins) for (const line of free) kept.add(line);
    return { job, full };
  });
}

/** How many jobs that wait for a place of the same lines begin before each, from 1; for those that cannot begin yet. */
export function positionsIn<Job extends InLine>(turns: readonly Turn<Job>[]): Map<Job, number> {
  const waiting = turns.filter(({ full }) => full.length > 0);
  const isBeforeSame = (one: Turn<Job>, other: Turn<Job>) =>
    one.full.some((line) => other.full.includes(line));
  return new Map(
    waiting.map((turn, at) => [
      turn.job,
      1 + waiting.slice(0, at).filter((before) => isBeforeSame(before, turn)).length,
    ]),
  );
}

interface Queued<Job> {
  readonly job: Job;
  /** Its place among all that wait, the oldest first. */
  readonly age: number;
  /** Tenant and line by which it is measured. */
  readonly place: string;
}

/** One queue for each tenant in each line that is scarcest for some of its jobs. */
function queuesOf<Job extends InLine>(waiting: readonly Job[], lineOf: (places: Places) => string) {
  const queues = new Map<string, Queued<Job>[]>();
  for (const [age, job] of waiting.entries()) {
    const place = placeIn(job.tenant, lineOf(job.places));
    const queue = queues.get(place);
    if (queue) queue.push({ job, age, place });
    else queues.set(place, [{ job, age, place }]);
  }
  return [...queues.values()];
}

/** The line with the fewest places left, then the shortest. */
const scarcest = (places: Places, taken: Counts): string =>
  Object.keys(places).reduce((least, line) => {
    const fewer = places[line]! - taken.of(line) - (places[least]! - taken.of(least));
    return fewer < 0 || (fewer === 0 && places[line]! < places[least]!) ? line : least;
  });

const placeIn = (tenant: string, line: string): string => `${tenant}/${line}`;
const ofTenant = ({ tenant, lines }: Placed): string[] => lines.map((line) => placeIn(tenant, line));

class Counts {
  readonly #counts = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.add(...names);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(...names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, this.of(name) + 1);
  }
}
