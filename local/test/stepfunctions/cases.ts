/** Turns tables of cases into tests. */

import { expect, it } from 'vitest';
import { type Case, run } from './harness.ts';

/** One test a case, named by what it shows and where that is written. */
export function check(cases: Case[]): void {
  it.each(cases)('$title ($source)', async ({ output, error, cause, ...setup }) => {
    const outcome = await run(setup);
    if (error === undefined) {
      expect(outcome).toMatchObject({ status: 'SUCCEEDED' });
      expect(outcome.output).toEqual(output);
      return;
    }
    expect(outcome).toMatchObject({ status: 'FAILED', error });
    if (cause !== undefined) expect(outcome.cause).toMatch(cause);
  });
}
