/** Runs the step of a state machine in the test's process, with the permissions of its function. */
import { pascalCase } from '../../lib/shared/names.ts';
import { sourceOf } from '../../toolchain/bundle/entries.ts';
import { asFunction } from './function-permissions.ts';

/** @param name of its file, such as `probe-media` */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
export async function runStep(name: string, input: object): Promise<any> {
  const { handler } = await import(sourceOf('steps', name));
  return asFunction(pascalCase(name), () => handler(input, {}));
}

/** The failure that Step Functions passes to the next state. */
export const failureOf = ({ name, message }: Error) => ({
  Error: name,
  Cause: JSON.stringify({ errorMessage: message }),
});
