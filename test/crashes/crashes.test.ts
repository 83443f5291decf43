import { describe, expect, it } from 'vitest';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { campaign, type Ran } from './campaign.ts';
import { drawn, nameOf } from './cases.ts';
import { scenarios } from './scenarios.ts';

const SEED = 20_261_122;
/** The scenarios `clips` and the other export have the same steps. */
const dear = 'export of a clip';

describe('injected failures in each step of each machine', () => {
  it('lose no job, repeat no effect or usage, and leave no data, in 50 runs', async () => {
    // It takes seconds to load. `npm run bench` covers it.
    process.env.ENGINE_FACES = 'none';
    const only = scenarios.map(({ name }) => name).filter((name) => name !== dear);
    const broken: string[] = [];
    const ran = ({ name, violations }: Ran) => broken.push(...violations.map((one) => `${name}: ${one}`));
    const results = await campaign({ runs: 50, seed: SEED, only, isCheap: true, ran });
    expect(results).toHaveLength(50);
    expect(broken).toEqual([]);
  }, 900_000);

  it('occur in every machine', () => {
    const machines = readDefinitions().map(({ name }) => name);
    expect([...new Set(scenarios.map(({ machine }) => machine))].sort()).toEqual(machines.sort());
  });

  it('are the same for the same seed', () => {
    const cases = (random: () => number) =>
      scenarios.flatMap((scenario) =>
        ['one', 'two'].map((step) => {
          const write = 1 + Math.floor(random() * 9);
          return { scenario, faults: [{ step, act: 'dies', place: 'within', write } as const] };
        }),
      );
    const names = (seed: number) => drawn(cases, 30, seed, true).map(nameOf);
    expect(names(1)).toEqual(names(1));
    expect(names(2)).not.toEqual(names(1));
  });
});
