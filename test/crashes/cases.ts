/** Lists every fault at every step of every machine, and draws some of them by seed. */
import { type Act, acts, type Fault, type Place, places } from './faults.ts';
import type { Undisturbed } from './rules.ts';
import { START } from './run.ts';
import type { Scenario } from './scenarios.ts';

export interface Case {
  readonly scenario: Scenario;
  readonly faults: readonly Fault[];
}

/**
 * Returns the next number in [0, 1). The same seed gives the same numbers: mulberry32 by Tommy Ettinger, public domain.
 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A request has no executor. Its sender may give up, or send it twice. */
const actsAtStart: readonly Act[] = ['dies', 'dies behind a write', 'dies each time', 'comes twice at once'];

/** Only jobs can be canceled, or settled after they fail. Collections and deliveries are not deleted while their machine runs. */
const notOfJobs: readonly Act[] = ['is canceled', 'dies each time'];
const notDeleted: readonly Act[] = [...notOfJobs, 'is deleted'];

function actsOf({ isJob, machine }: Scenario, step: string): readonly Act[] {
  if (step === START) return actsAtStart;
  if (isJob) return acts;
  const none = machine === 'DeleteAsset' ? notOfJobs : notDeleted;
  return acts.filter((act) => !none.includes(act));
}

const placesAt = (step: string, act: Act): readonly Place[] => (step === START ? ['within'] : places[act]);

const endings = (steps: readonly string[], machine: string) => ({
  failing: steps.find((step) => step.startsWith('Fail') && step.endsWith(machine)),
  clearing: steps.find((step) => step.startsWith('Clear') && step.endsWith(machine)),
});

/** One case for each fault at each step. The number of the write is drawn by chance. */
export function casesOf(
  scenario: Scenario,
  { writes }: Undisturbed,
  allSteps: readonly string[],
  random: () => number,
): Case[] {
  const drawn = (step: string) => 1 + Math.floor(random() * (writes.get(step) ?? 6));
  const faultsAt = (step: string, chosen: readonly Act[]): Fault[] =>
    chosen.flatMap((act) =>
      placesAt(step, act).flatMap((place) => {
        const isWriting = place !== 'within' || (writes.get(step) ?? 6) > 0;
        return isWriting ? [{ step, act, place, write: drawn(step) }] : [];
      }),
    );
  const steps = [...writes.keys()];
  const single = steps
    .flatMap((step) => faultsAt(step, actsOf(scenario, step)))
    .map((fault) => ({ scenario, faults: [fault] }));
  if (!scenario.isJob) return single;
  const { failing, clearing } = endings(allSteps, scenario.machine);
  const working = steps.filter((step) => step !== START);
  const any = () => working[Math.floor(random() * working.length)]!;
  // These steps run only after another step failed.
  const after = (ending: string | undefined, act: Act, chosen: readonly Act[]): Case[] =>
    ending === undefined
      ? []
      : faultsAt(ending, chosen).map((fault) => {
          const step = any();
          return { scenario, faults: [{ step, act, place: 'before', write: 1 }, fault] };
        });
  return [
    ...single,
    ...after(failing, 'execution ends', acts),
    ...after(
      clearing,
      'is canceled',
      acts.filter((act) => act !== 'is canceled'),
    ),
  ];
}

/** The job is canceled or deleted before its last step, or its execution ends before the step before that. */
export function endingsOf(scenario: Scenario, { writes }: Undisturbed, allSteps: readonly string[]): Case[] {
  if (!scenario.isJob) return [];
  const steps = [...writes.keys()].filter((step) => allSteps.includes(step));
  const faultAt = (step: string, act: Act): Fault => ({ step, act, place: 'before', write: 1 });
  return [
    { scenario, faults: [faultAt(steps.at(-1)!, 'is canceled')] },
    { scenario, faults: [faultAt(steps.at(-1)!, 'is deleted')] },
    { scenario, faults: [faultAt((steps.at(-2) ?? steps.at(-1))!, 'execution ends')] },
  ];
}

/**
 * Draws the given number of cases. No case is repeated until all were drawn.
 * @param isCheap draws scenarios evenly, but expensive scenarios less often
 */
export function drawn(
  cases: (random: () => number) => Case[],
  count: number,
  seed: number,
  isCheap: boolean,
): Case[] {
  const random = randomOf(seed);
  const chosen: Case[] = [];
  while (chosen.length < count) {
    const all = cases(random);
    const weight = ({ scenario }: Case) =>
      isCheap ? 1 / (scenario.cost * all.filter((one) => one.scenario === scenario).length) : 1;
    // Efraimidis and Spirakis, "Weighted random sampling with a reservoir".
    const round = all
      .map((one) => [-Math.log(1 - random()) / weight(one), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
    chosen.push(...round);
  }
  return chosen.slice(0, count);
}

export const nameOf = ({ scenario, faults }: Case): string =>
  `${scenario.name}: ${faults.map(({ step, act, place, write }) => `${step} ${act} ${place}${place === 'within' ? ` ${write}` : ''}`).join(', then ')}`;
