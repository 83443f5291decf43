/**
 * The capacity of an environment, in pools: one pool of jobs that run at once, and one pool for each provider with a
 * quota. A job takes a place in the pool of all jobs, and a place in the pool of each provider that it may use. See
 * docs/decisions/0065.
 */
import { list, number, type Parsed, recordOf, shape, text } from '../../shared/parse.ts';

/** Reads the capacity of each provider. lib/jobs/provider-pools.ts writes the capacities into the variable PROVIDER_LINES. */
export const providerCapacities = recordOf(
  shape({
    /** The number of jobs that may use the provider at once. */
    most: number,
    /** For each state machine: the capabilities whose engines use the provider. */
    machines: recordOf(list(text)),
  }),
);

export interface Capacity {
  /** The number of jobs that may run at once. */
  readonly jobs: number;
  readonly providers: Parsed<typeof providerCapacities>;
}

export const allJobs = 'jobs';

/** The pools in which a job takes a place, each with its number of places. */
export type Pools = Readonly<Record<string, number>>;

/** The parts of a job that decide in which pools the job takes a place. */
export interface StartingJob {
  /** The name of the state machine's definition. */
  readonly machine: string;
  readonly input: object;
}

export function poolsOf({ machine, input }: StartingJob, { jobs, providers }: Capacity): Pools {
  const required = enginesIn(input);
  const pools = Object.entries(providers)
    .filter(([, { machines }]) =>
      machines[machine]?.some((capability) => required?.includes(capability) ?? true),
    )
    .map(([name, { most }]) => [name, most] as const);
  return { [allJobs]: jobs, ...Object.fromEntries(pools) };
}

/** The capabilities that the input names. Null if it names none: the job may then use all engines of its machine. */
function enginesIn(input: object): readonly string[] | null {
  return 'engines' in input && typeof input.engines === 'string' ? input.engines.split(' ') : null;
}

/** Returns the member `engines` of a job's input: the capabilities that the job may use, separated by spaces. */
export const enginesNamed = (capabilities: readonly string[]): { readonly engines: string } => ({
  engines: capabilities.join(' '),
});
