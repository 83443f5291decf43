/**
 * Runs many crash cases one after another, and collects the broken rules. Each campaign begins with the three ways in which
 * a job ends early, so that the steps which end it always run.
 */
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { type Case, casesOf, drawn, endingsOf, nameOf } from './cases.ts';
import type { Undisturbed } from './rules.ts';
import { crashed, type Outcome, undisturbed } from './run.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { startWorld } from './world.ts';

export interface Campaign {
  readonly runs: number;
  readonly seed: number;
  readonly only?: readonly string[];
  /** Draws scenarios evenly, but expensive scenarios less often. Default: draws all cases evenly. */
  readonly isCheap?: boolean;
  /** Called after each run. */
  readonly ran?: (one: Ran, at: number) => void;
}

export interface Ran extends Outcome {
  readonly case: Case;
  readonly name: string;
}

/** The number of runs whose faults happened. A step that an earlier failure skips cannot fail. */
export async function campaign({
  runs,
  seed,
  only,
  isCheap = false,
  ran = () => {},
}: Campaign): Promise<Ran[]> {
  const world = await startWorld();
  try {
    const chosen = scenarios.filter(({ name }) => only === undefined || only.includes(name));
    const bases = new Map<Scenario, Undisturbed>();
    for (const scenario of chosen) bases.set(scenario, await undisturbed(scenario, world));
    const steps = new Map(readDefinitions().map(({ name, steps }) => [name, steps]));
    const all = (random: () => number) =>
      chosen.flatMap((one) => casesOf(one, bases.get(one)!, steps.get(one.machine)!, random));
    const endings = chosen.flatMap((one) => endingsOf(one, bases.get(one)!, steps.get(one.machine)!));
    const results: Ran[] = [];
    for (const one of [...endings, ...drawn(all, runs - endings.length, seed, isCheap)]) {
      const outcome = await crashed(one.scenario, one.faults, bases.get(one.scenario)!, world);
      const result = { ...outcome, case: one, name: nameOf(one) };
      results.push(result);
      ran(result, results.length);
    }
    return results;
  } finally {
    await world.close();
  }
}
