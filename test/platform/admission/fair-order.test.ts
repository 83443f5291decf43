import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairOrder, positionsIn } from '../../../platform/admission/fair-order.ts';

type Capacity = Readonly<Record<string, number>>;

/** `a1:pq` is a job of tenant `a` in the pools p and q, in addition to the pool of all jobs. */
function jobsOf(text: string, bounds: Capacity) {
  return (text === '' ? [] : text.split(' ')).map((job) => {
    const [id = '', providers = ''] = job.split(':');
    const pools = ['jobs', ...providers];
    return {
      tenant: id[0]!,
      id,
      pools,
      places: Object.fromEntries(pools.map((pool) => [pool, bounds[pool]!])),
    };
  });
}

const turnsOf = (
  running: string,
  waiting: string,
  { ended = '', ...bounds }: { ended?: string } & Partial<Record<string, number | string>> = {},
) => {
  const all = { jobs: 0, ...bounds } as Capacity;
  return fairOrder(jobsOf(running, all), jobsOf(waiting, all), jobsOf(ended, all));
};
const orderOf = (running: string, waiting: string, ended = '') =>
  turnsOf(running, waiting, { ended })
    .map(({ job: { id } }) => id)
    .join(' ');
const nextOf = (running: string, waiting: string, bounds: Capacity) =>
  turnsOf(running, waiting, bounds)
    .filter(({ full }) => full.length === 0)
    .map(({ job: { id } }) => id)
    .join(' ');

describe('waiting jobs', () => {
  it('start by age if all belong to one tenant', () => {
    expect(orderOf('a0', 'a1 a2 a3')).toBe('a1 a2 a3');
  });

  it('start in turns by tenant, so that a hundred jobs of one tenant do not delay the job of another', () => {
    expect(orderOf('', 'a1 a2 a3 b1 b2')).toBe('a1 b1 a2 b2 a3');
  });

  it('start after those of other tenants if their tenant had the last turn', () => {
    expect(orderOf('', 'a1 a2 b1', 'a0')).toBe('b1 a1 a2');
    expect(orderOf('b0', 'a1 a2 b1', 'a0')).toBe('a1 b1 a2');
  });

  it('start with the tenant that has the fewest running jobs, then with the oldest job', () => {
    expect(orderOf('a0 a9', 'a1 b1 c1 b2')).toBe('b1 c1 b2 a1');
  });
});

describe('the pool of a provider', () => {
  it('does not delay jobs that do not use it, even of the same tenant', () => {
    expect(nextOf('a0:p', 'a1:p a2 b1:p b2', { jobs: 9, p: 1 })).toBe('b2 a2');
  });

  it('shares its places by the jobs that tenants have with that provider, and ignores their other jobs', () => {
    expect(nextOf('a0 a9 a8 b0:p', 'b1:p a1:p', { jobs: 9, p: 2 })).toBe('a1');
  });

  it('reserves a place in other pools for the first waiting job, but not for later ones', () => {
    expect(nextOf('c0:p c1:q', 'a1:pq b1:q b2:q', { jobs: 9, p: 1, q: 3 })).toBe('b1');
    expect(nextOf('c0:p c1:q', 'a1:pq a2:pq b1:q b2:q', { jobs: 9, p: 1, q: 3 })).toBe('b1');
  });

  it('counts only jobs that wait for the same pools in a position', () => {
    const places = positionsIn(turnsOf('c0:p c1:q', 'a1:p b1:q a2:p b2:q', { jobs: 9, p: 1, q: 1 }));
    const said = [...places].map(([{ id }, place]) => `${id}=${place}`);
    expect(said.sort()).toEqual(['a1=1', 'a2=2', 'b1=1', 'b2=2']);
  });
});

describe('random jobs in random pools', () => {
  const bounds: Capacity = { jobs: 6, p: 3, q: 2 };
  const kinds = [[], ['p'], ['q'], ['p', 'q']];
  const LONGEST = 5;
  const job = (tenant: string, providers: readonly string[], left: number) => {
    const pools = ['jobs', ...providers];
    const places = Object.fromEntries(pools.map((pool) => [pool, bounds[pool]!]));
    return { tenant, pools, places, left, waited: 0 };
  };
  type Job = ReturnType<typeof job>;

  /** Runs rounds: in each, some jobs end, some arrive and others start. @returns the started jobs, with the rounds that they waited */
  function rounds(count: number, coming: (round: number) => readonly Job[]): Job[] {
    let [running, waiting, begun] = [[], [], []] as Job[][];
    for (let round = 0; round < count; round += 1) {
      waiting!.push(...coming(round));
      const ended = running!.filter(({ left }) => left === 0);
      running = running!.filter(({ left }) => left > 0);
      const next = fairOrder(running, waiting!, ended).flatMap((turn) =>
        turn.full.length === 0 ? turn.job : [],
      );
      running.push(...next);
      begun!.push(...next);
      waiting = waiting!.filter((one) => !next.includes(one));
      for (const one of waiting) one.waited += 1;
      for (const one of running) one.left -= 1;
      for (const [pool, most] of Object.entries(bounds))
        expect(running.filter(({ pools }) => pools.includes(pool)).length).toBeLessThanOrEqual(most);
    }
    return begun!;
  }

  it('exceed no capacity, and a tenant with few jobs does not wait long for one with a hundred', () => {
    const drawn = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: 1, max: LONGEST })), {
      minLength: 420,
      maxLength: 420,
    });
    const check = fc.property(drawn, fc.constantFrom(...kinds), (draws, wanted) => {
      const left = draws[Symbol.iterator]();
      const drawnFor = (tenant: string) => job(tenant, ...left.next().value!);
      const begun = rounds(160, (round) => [
        ...(round === 0 ? Array.from({ length: 100 }, () => drawnFor('many')) : []),
        // More jobs arrive than can run.
        ...(round % 2 === 0 ? [drawnFor('many'), drawnFor('more')] : []),
        ...(round % 20 === 10 ? [job('few', wanted, 1)] : []),
      ]);
      const few = begun.filter(({ tenant }) => tenant === 'few');
      expect(few.length).toBeGreaterThanOrEqual(7);
      // Some of the longest jobs must end first: those in its pools, and those of earlier tenants.
      expect(Math.max(...few.map(({ waited }) => waited))).toBeLessThanOrEqual(3 * LONGEST);
    });
    fc.assert(check, { numRuns: 25 });
  });

  it('that need two providers do not wait forever because of jobs that need one', () => {
    const both = job('both', ['p', 'q'], 1);
    // Places of p and q never become free in the same round.
    const begun = rounds(40, (round) => [
      ...(round === 0 ? [job('p0', ['p'], 2), job('p1', ['p'], 4), job('p2', ['p'], 6)] : []),
      ...(round === 0 ? [job('q0', ['q'], 3), job('q1', ['q'], 5)] : []),
      ...(round === 1 ? [both] : []),
      job(`p${round}`, ['p'], 6),
      job(`q${round}`, ['q'], 6),
    ]);
    expect(begun).toContain(both);
  });
});
