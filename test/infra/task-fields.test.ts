import { describe, expect, it } from 'vitest';
import { jobErrors, stepFailures } from '../../contract/kit/errors.ts';
import { completed } from '../../lib/jobs/definitions.ts';
import {
  broken,
  busy,
  permanent,
  type Retrier,
  refused,
  retriers,
  throttled,
} from '../../lib/jobs/retrying.ts';

const task = { Type: 'Task', Arguments: { FunctionName: `\${ProbeMedia}` }, End: true };

describe('a task in a file of state-machines/', () => {
  it('gets the shared retries, and a time-out after that of its function', () => {
    const { States } = completed({ States: { One: task } });
    expect(States.One).toEqual({ ...task, TimeoutSeconds: 930, Retry: retriers });
  });

  it('also gets them inside a Map and a Parallel', () => {
    const scope = { States: { One: task } };
    const map = { Type: 'Map', ItemProcessor: scope };
    const parallel = { Type: 'Parallel', Branches: [scope] };
    const { States } = completed({ States: { map, parallel } });
    expect(States.map!.ItemProcessor).toEqual(completed(scope));
    expect(States.parallel!.Branches).toEqual([completed(scope)]);
  });

  it('keeps its own time-out and retries if it has any', () => {
    const own = { ...task, TimeoutSeconds: 7, Retry: [] };
    expect(completed({ States: { One: own } }).States.One).toEqual(own);
  });

  it('must invoke an existing step', () => {
    const unknown = { ...task, Arguments: { FunctionName: `\${Unknown}` } };
    expect(() => completed({ States: { One: unknown } })).toThrow('the step Unknown, which no file');
  });
});

describe('retries', () => {
  it('exclude every job error that the caller has to fix', () => {
    expect(permanent).toEqual(
      expect.arrayContaining([
        'media_unreadable',
        'media_limit_exceeded',
        'language_unsupported',
        'engine_unavailable',
        'canceled',
      ]),
    );
    expect(permanent).not.toContain('provider_unavailable');
  });

  const ruleOf = (errors: readonly string[]) =>
    retriers.find(({ ErrorEquals }) => ErrorEquals === errors) as Required<Retrier>;
  const waitsOf = ({ IntervalSeconds, BackoffRate, MaxAttempts, MaxDelaySeconds }: Required<Retrier>) =>
    Array.from({ length: MaxAttempts }, (_, at) =>
      Math.min(IntervalSeconds * BackoffRate ** at, MaxDelaySeconds),
    ).reduce((sum, wait) => sum + wait);

  it.each([
    ['a quarter of an hour on average if Lambda refuses a step', refused, 840],
    [
      'a day on average if the concurrency is used up, so that concurrent jobs do not fail',
      throttled,
      86_000,
    ],
    ['an hour and three quarters on average if a provider throttles', busy, 6300],
  ])('continue for %s', (_, errors, seconds) => {
    expect(waitsOf(ruleOf(errors)) / 2).toBeGreaterThan(seconds);
  });

  it('end within ten minutes, but not immediately, if a provider is broken', () => {
    expect(waitsOf(ruleOf(broken))).toBeLessThan(600);
    expect(waitsOf(ruleOf(broken)) / 2).toBeGreaterThan(180);
  });

  it('leave room in the history of an execution, in which each repetition takes three events', () => {
    const most = retriers.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 0);
    expect(3 * most).toBeLessThan(25_000 / 10);
  });

  it('have random waits, so that jobs that failed together are not retried together', () => {
    for (const { JitterStrategy, MaxAttempts } of retriers)
      expect([MaxAttempts === 0, JitterStrategy === 'FULL']).toContain(true);
  });

  it('name each error once, and end with all other errors', () => {
    const named = retriers.flatMap(({ ErrorEquals }) => ErrorEquals);
    expect(new Set(named).size).toBe(named.length);
    expect(named.at(-1)).toBe('States.ALL');
    expect(named).toEqual(expect.arrayContaining(Object.keys(stepFailures)));
    // Callers would see an error name that is also a code.
    for (const name of Object.keys(stepFailures)) expect(Object.keys(jobErrors)).not.toContain(name);
  });
});
