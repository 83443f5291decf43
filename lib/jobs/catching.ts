/** How the state machines keep an error: as the variable `failure`, and as the end of the execution. */

/** The state that takes an error, by the error's name; `States.ALL` takes all others. */
export type ShortCatch = Readonly<Record<string, string>>;

export const isShort = (value: unknown): value is ShortCatch =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The Error Output "usually" has a Cause (Developer Guide, "Error output"): a time-out, for one, has none. */
const field = (name: 'Error' | 'Cause') =>
  `{% $exists($states.errorOutput.${name}) ? $states.errorOutput.${name} : '' %}`;

const failure = { Error: field('Error'), Cause: field('Cause') };

/** States.ALL must come last (Developer Guide, "Fallback states"). */
export function catchers(targets: ShortCatch) {
  const names = Object.keys(targets).filter((name) => name !== 'States.ALL');
  const ordered = targets['States.ALL'] === undefined ? names : [...names, 'States.ALL'];
  return ordered.map((name) => ({ ErrorEquals: [name], Assign: { failure }, Next: targets[name] }));
}

/** Where an execution ends that failed beyond what its machine takes care of. */
export const failed = { Type: 'Fail', Error: '{% $failure.Error %}', Cause: '{% $failure.Cause %}' };
