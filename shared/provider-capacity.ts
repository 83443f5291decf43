/**
 * What jobs wait for: a place among all that run, and a place with each provider that they were asked to use. See
 * docs/decisions/0065.
 */

/** A line before a provider. */
export interface ProviderLine {
  /** Jobs that may be with it at once. */
  readonly most: number;
  /** Capabilities of engines that lead to it, by name of the machine. */
  readonly machines: Readonly<Record<string, readonly string[]>>;
}

export interface Bounds {
  /** Jobs that may run at once. */
  readonly jobs: number;
  readonly providers: Readonly<Record<string, ProviderLine>>;
}

/** The line in which every job stands. */
export const everyJob = 'jobs';

/** How many places each line has in which the job stands, by name of the line. */
export type Places = Readonly<Record<string, number>>;

/** A job before it begins, as far as lines depend on it. */
export interface Starting {
  /** Name of its machine's definition. */
  readonly machine: string;
  /** What its execution is started with. */
  readonly input: object;
}

/** @param providers lines, by name */
export function placesOf({ machine, input }: Starting, { jobs, providers }: Bounds): Places {
  const asked = enginesIn(input);
  const places = Object.entries(providers)
    .filter(([, { machines }]) =>
      machines[machine]?.some((capability) => asked?.includes(capability) ?? true),
    )
    .map(([name, { most }]) => [name, most] as const);
  return { [everyJob]: jobs, ...Object.fromEntries(places) };
}

/** The capabilities that a job may need, where its input names them: else all that its machine has steps for. */
function enginesIn(input: object): readonly string[] | null {
  const { engines } = input as { readonly engines?: string };
  return engines?.split(' ') ?? null;
}

/** What a job's input says of the engines that it may need. */
export const enginesNamed = (capabilities: readonly string[]): { readonly engines: string } => ({
  engines: capabilities.join(' '),
});
