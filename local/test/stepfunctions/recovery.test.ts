import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, nextRetry } from '../../stepfunctions/retry.ts';
import { check } from './cases.ts';
import { type FakeFunction, FunctionError, functionArn, machine, run } from './harness.ts';

/** Fails with these errors in turn, then succeeds. */
const failingWith =
  (...errors: string[]): FakeFunction =>
  (_, { count }) => {
    const error = errors[count];
    if (error) throw new FunctionError(error);
    return 'done';
  };
const task = (fields: object) =>
  machine({ T: { Type: 'Task', Resource: functionArn('work'), End: true, ...fields } });
const Caught = { Type: 'Pass', End: true };
const tried = (Retry: object[], Catch?: object[]) =>
  machine({
    T: { Type: 'Task', Resource: functionArn('work'), End: true, Retry, ...(Catch && { Catch }) },
    ...(Catch && { Caught }),
  });

/** Seconds between the attempts of the only function. */
async function delays(definition: unknown, work: FakeFunction, random = () => 1): Promise<number[]> {
  const { invocations } = await run({ definition, functions: { work }, random });
  return invocations.slice(1).map(({ at }, index) => (at - invocations[index]!.at) / 1000);
}

describe('Retry', () => {
  it.each([
    {
      source: 'spec: Retrying after error',
      title: 'waits 1, 2 and 4 seconds by default, and then fails',
      retry: [{ ErrorEquals: ['E'] }],
      errors: ['E', 'E', 'E', 'E'],
      seconds: [1, 2, 4],
    },
    {
      source: 'spec: Retrying after error',
      title: 'waits for IntervalSeconds, and multiplies each further wait by BackoffRate',
      retry: [{ ErrorEquals: ['E'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 2 }],
      errors: ['E', 'E', 'E'],
      seconds: [3, 6],
    },
    {
      source: 'spec: Retrying after error',
      title: 'waits for at most MaxDelaySeconds',
      retry: [{ ErrorEquals: ['E'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 2, MaxDelaySeconds: 4 }],
      errors: ['E', 'E'],
      seconds: [3, 4],
    },
    {
      source: 'spec: Retrying after error',
      title: 'never retries with MaxAttempts 0',
      retry: [{ ErrorEquals: ['E'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] }],
      errors: ['E', 'E'],
      seconds: [],
    },
    {
      source: 'spec: Retrying after error',
      title: 'matches any error with States.ALL',
      retry: [{ ErrorEquals: ['Other'] }, { ErrorEquals: ['States.ALL'], IntervalSeconds: 7 }],
      errors: ['E'],
      seconds: [7],
    },
    {
      source: 'spec: Complex retry scenarios',
      title:
        'counts the attempts of each Retrier separately: ErrorA, ErrorB, ErrorC, ErrorB wait 1, 2 and 5 seconds',
      retry: [
        { ErrorEquals: ['ErrorA', 'ErrorB'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 },
        { ErrorEquals: ['ErrorC'], IntervalSeconds: 5 },
      ],
      errors: ['ErrorA', 'ErrorB', 'ErrorC', 'ErrorB'],
      seconds: [1, 2, 5],
    },
  ])('$title ($source)', async ({ retry, errors, seconds }) => {
    expect(await delays(tried(retry), failingWith(...errors))).toEqual(seconds);
  });

  it('waits for a random share of the interval with JitterStrategy FULL (guide: Handling errors)', async () => {
    const retry = [{ ErrorEquals: ['E'], IntervalSeconds: 8, BackoffRate: 2, JitterStrategy: 'FULL' }];
    expect(await delays(tried(retry), failingWith('E', 'E'), () => 0.25)).toEqual([2, 4]);
  });

  it('never waits longer than the interval, and never retries more often than MaxAttempts', () => {
    const rule = fc.record({
      IntervalSeconds: fc.integer({ min: 1, max: 1000 }),
      BackoffRate: fc.double({ min: 1, max: 10, noNaN: true }),
      MaxAttempts: fc.integer({ min: 0, max: 20 }),
      MaxDelaySeconds: fc.integer({ min: 1, max: 31_622_400 }),
      JitterStrategy: fc.constantFrom('FULL', 'NONE'),
    });
    fc.assert(
      fc.property(
        rule,
        fc.nat(25),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (fields, used, share) => {
          const retry = nextRetry([{ ErrorEquals: ['E'], ...fields }], [used], { error: 'E' }, () => share);
          if (used >= fields.MaxAttempts) return retry === undefined;
          return retry !== undefined && retry.delay >= 0 && retry.delay <= fields.MaxDelaySeconds * 1000;
        },
      ),
    );
  });

  check([
    {
      source: 'spec: Retrying after error',
      title: 'counts from zero again when the state is entered again',
      definition: machine({
        T: {
          Type: 'Task',
          Resource: functionArn('work'),
          Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1 }],
          Next: 'Again',
        },
        Again: {
          Type: 'Choice',
          Choices: [{ Condition: "{% $states.input = 'first' %}", Next: 'T' }],
          Default: 'Caught',
        },
        Caught,
      }),
      functions: {
        work: (_, { count }) => {
          if (count % 2 === 0) throw new FunctionError('E');
          return count === 1 ? 'first' : 'second';
        },
      },
      output: 'second',
    },
    {
      source: 'spec: Retrying after error',
      title: 'repeats a whole Parallel state',
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [
            { StartAt: 'T', States: { T: { Type: 'Task', Resource: functionArn('work'), End: true } } },
          ],
          Retry: [{ ErrorEquals: ['E'] }],
          End: true,
        },
      }),
      functions: { work: failingWith('E', 'E') },
      output: ['done'],
    },
    {
      source: 'spec: Retrying after error',
      title: 'repeats a whole Map state',
      definition: machine({
        M: {
          Type: 'Map',
          Items: [1, 2],
          ItemProcessor: {
            StartAt: 'T',
            States: { T: { Type: 'Task', Resource: functionArn('work'), End: true } },
          },
          Retry: [{ ErrorEquals: ['E'] }],
          End: true,
        },
      }),
      functions: { work: failingWith('E') },
      output: ['done', 'done'],
    },
    {
      source: 'spec: JSONata Runtime Errors',
      title: 'runs the task again if the evaluation of its result failed',
      definition: task({
        Retry: [{ ErrorEquals: ['States.QueryEvaluationError'] }],
        Output: '{% $states.result.answer %}',
      }),
      functions: { work: (_, { count }) => (count === 0 ? {} : { answer: count }) },
      output: 1,
    },
  ]);
});

describe('Catch', () => {
  const failed = (Catch: object[], fields = {}) =>
    machine({ T: { Type: 'Task', Resource: functionArn('work'), End: true, Catch, ...fields }, Caught });
  const work = failingWith('E', 'E');
  const Cause = '{"errorType":"E","errorMessage":"failed","trace":[]}';

  check([
    {
      source: 'spec: Error output',
      title: 'passes the Error Output to the next state by default',
      definition: failed([{ ErrorEquals: ['E'], Next: 'Caught' }]),
      functions: { work },
      output: { Error: 'E', Cause },
    },
    {
      source: 'spec: JSONata Catchers',
      title: 'returns the Output of the Catcher, and uses only the Assign of the Catcher',
      definition: machine({
        A: { Type: 'Pass', Assign: { by: 'before' }, Next: 'T' },
        T: {
          Type: 'Task',
          Resource: functionArn('work'),
          Assign: { by: 'state' },
          Catch: [
            {
              ErrorEquals: ['E'],
              Output: '{% $merge([$states.input, {"error-info": $states.errorOutput.Error}]) %}',
              Assign: { caught: '{% $states.errorOutput.Error %}' },
              Next: 'Show',
            },
          ],
          End: true,
        },
        Show: { Type: 'Pass', Output: ['{% $states.input %}', '{% $by %}', '{% $caught %}'], End: true },
      }),
      functions: { work },
      input: { a: 1 },
      output: [{ a: 1, 'error-info': 'E' }, 'before', 'E'],
    },
    {
      source: 'spec: Fallback states',
      title: 'uses the first Catcher that matches the error',
      definition: failed([
        { ErrorEquals: ['Other'], Output: 1, Next: 'Caught' },
        { ErrorEquals: ['X', 'E'], Output: 2, Next: 'Caught' },
        { ErrorEquals: ['States.ALL'], Output: 3, Next: 'Caught' },
      ]),
      functions: { work },
      output: 2,
    },
    {
      source: 'spec: Fallback states',
      title: 'applies after the last retry',
      definition: failed(
        [{ ErrorEquals: ['E'], Output: '{% $states.context.State.RetryCount %}', Next: 'Caught' }],
        {
          Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1 }],
        },
      ),
      functions: { work },
      output: 1,
    },
    {
      source: 'spec: Fallback states',
      title: 'catches an error inside a Map',
      definition: machine({
        M: {
          Type: 'Map',
          Items: [1],
          ItemProcessor: { StartAt: 'F', States: { F: { Type: 'Fail', Error: 'Inside' } } },
          Catch: [{ ErrorEquals: ['Inside'], Next: 'Caught' }],
          End: true,
        },
        Caught,
      }),
      output: { Error: 'Inside' },
    },
    {
      source: 'spec: JSONata Runtime Errors',
      title: 'catches a failed evaluation of the state',
      definition: failed(
        [
          {
            ErrorEquals: ['States.QueryEvaluationError'],
            Output: '{% $states.errorOutput.Cause %}',
            Next: 'Caught',
          },
        ],
        {
          Arguments: '{% $states.input.missing %}',
        },
      ),
      output:
        "The JSONata expression '$states.input.missing' specified for the field 'Arguments' returned nothing (undefined).",
    },
    {
      source: 'spec: Fallback states',
      title: 'lets the execution fail if no Catcher matches the error',
      definition: failed([{ ErrorEquals: ['Other'], Next: 'Caught' }]),
      functions: { work },
      error: 'E',
    },
  ]);
});

describe('error names', () => {
  it.each([
    ['States.ALL', 'Any', true],
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', undefined, true],
    ['States.ALL', 'States.DataLimitExceeded', false],
    ['States.ALL', 'States.Runtime', false],
    ['States.Runtime', 'States.Runtime', false],
    ['States.DataLimitExceeded', 'States.DataLimitExceeded', true],
    ['States.TaskFailed', 'Any', true],
    ['States.TaskFailed', 'States.Permissions', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.TaskFailed', 'States.DataLimitExceeded', false],
    ['States.Timeout', 'States.Timeout', true],
    ['States.Permissions', 'Any', false],
    ['Error', 'error', false],
  ])(
    '%s in ErrorEquals matches the error %s: %s (guide: Handling errors in Step Functions workflows)',
    (name, error, expected) => {
      expect(matches([name], error === undefined ? {} : { error })).toBe(expected);
    },
  );
});
