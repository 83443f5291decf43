/** Turns tables of cases into tests. */
import { expect, it } from 'vitest';
import { type FakeFunction, run, type Setup } from './harness.ts';

/** The result that a machine must have. */
interface Case extends Setup {
  output?: unknown;
  error?: string;
  cause?: string | RegExp;
}

/**
 * One test for each case. `functions` are those that the machines of several cases call. The name of a case says its promise
 * and the text that requires it: `spec: <section>` of https://states-language.net/spec.html, or `guide: <page>` of the AWS
 * developer guide.
 */
export function check(functions: Record<string, FakeFunction>, cases: Record<string, Case>): void {
  it.each(Object.entries(cases))('%s', async (_, { output, error, cause, ...setup }) => {
    const outcome = await run({ functions, ...setup });
    if (error === undefined) {
      expect(outcome).toMatchObject({ status: 'SUCCEEDED' });
      expect(outcome.output).toEqual(output);
      return;
    }
    expect(outcome).toMatchObject({ status: 'FAILED', error });
    if (cause !== undefined) expect(outcome.cause).toMatch(cause);
  });
}
