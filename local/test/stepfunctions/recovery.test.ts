import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, nextRetry } from '../../stepfunctions/retry.ts';
import { check } from './cases.ts';
import { branch, type FakeFunction, FunctionError, functionArn, machine, run } from './harness.ts';

const failingWith =
  (...errors: string[]): FakeFunction =>
  (_, { count }) => {
    const error = errors[count];
    if (error) throw new FunctionError(error);
    return 'done';
  };
const functions = { work: failingWith('E', 'E') };
const Caught = { Type: 'Pass', End: true };
const work = { Type: 'Task', Resource: functionArn('work'), End: true };
const task = (fields: object) => machine({ T: { ...work, ...fields } });
const inner = branch({ T: work });

/** Seconds between the attempts of the only function. */
async function delays(definition: unknown, work: FakeFunction, random = () => 1): Promise<number[]> {
  const { invocations } = await run({ definition, functions: { work }, random });
  return invocations.slice(1).map(({ at }, index) => (at - invocations[index]!.at) / 1000);
}

describe('Retry', () => {
  it.each<[string, object[], string[], number[]]>([
    [
      'waits 1, 2 and 4 seconds by default, and then fails (spec: Retrying after error)',
      [{ ErrorEquals: ['E'] }],
      ['E', 'E', 'E', 'E'],
      [1, 2, 4],
    ],
    [
      'waits for IntervalSeconds, and multiplies each further wait by BackoffRate (spec: Retrying after error)',
      [{ ErrorEquals: ['E'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 2 }],
      ['E', 'E', 'E'],
      [3, 6],
    ],
    [
      'waits for at most MaxDelaySeconds (spec: Retrying after error)',
      [{ ErrorEquals: ['E'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 2, MaxDelaySeconds: 4 }],
      ['E', 'E'],
      [3, 4],
    ],
    [
      'never retries with MaxAttempts 0 (spec: Retrying after error)',
      [{ ErrorEquals: ['E'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] }],
      ['E', 'E'],
      [],
    ],
    [
      'matches any error with States.ALL (spec: Retrying after error)',
      [{ ErrorEquals: ['Other'] }, { ErrorEquals: ['States.ALL'], IntervalSeconds: 7 }],
      ['E'],
      [7],
    ],
    [
      'counts the attempts of each Retrier separately (spec: Complex retry scenarios)',
      [
        { ErrorEquals: ['ErrorA', 'ErrorB'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 },
        { ErrorEquals: ['ErrorC'], IntervalSeconds: 5 },
      ],
      ['ErrorA', 'ErrorB', 'ErrorC', 'ErrorB'],
      [1, 2, 5],
    ],
  ])('%s', async (_, Retry, errors, seconds) => {
    expect(await delays(task({ Retry }), failingWith(...errors))).toEqual(seconds);
  });

  it('waits for a random share of the interval with JitterStrategy FULL (guide: Handling errors)', async () => {
    const Retry = [{ ErrorEquals: ['E'], IntervalSeconds: 8, BackoffRate: 2, JitterStrategy: 'FULL' }];
    expect(await delays(task({ Retry }), failingWith('E', 'E'), () => 0.25)).toEqual([2, 4]);
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

  check(functions, {
    'counts from zero again when the state is entered again (spec: Retrying after error)': {
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
    'repeats a whole Parallel state (spec: Retrying after error)': {
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [inner],
          Retry: [{ ErrorEquals: ['E'] }],
          End: true,
        },
      }),
      output: ['done'],
    },
    'repeats a whole Map state (spec: Retrying after error)': {
      definition: machine({
        M: {
          Type: 'Map',
          Items: [1, 2],
          ItemProcessor: inner,
          Retry: [{ ErrorEquals: ['E'] }],
          End: true,
        },
      }),
      functions: { work: failingWith('E') },
      output: ['done', 'done'],
    },
    'runs the task again if the evaluation of its result failed (spec: JSONata Runtime Errors)': {
      definition: task({
        Retry: [{ ErrorEquals: ['States.QueryEvaluationError'] }],
        Output: '{% $states.result.answer %}',
      }),
      functions: { work: (_, { count }) => (count === 0 ? {} : { answer: count }) },
      output: 1,
    },
  });
});

describe('Catch', () => {
  const failed = (Catch: object[], fields = {}) => machine({ T: { ...work, Catch, ...fields }, Caught });
  const Cause = '{"errorType":"E","errorMessage":"failed","trace":[]}';

  check(functions, {
    'passes the Error Output to the next state by default (spec: Error output)': {
      definition: failed([{ ErrorEquals: ['E'], Next: 'Caught' }]),
      output: { Error: 'E', Cause },
    },
    'returns the Output of the Catcher, and uses only the Assign of the Catcher (spec: JSONata Catchers)': {
      definition: machine({
        A: { Type: 'Pass', Assign: { by: 'before' }, Next: 'T' },
        T: {
          ...work,
          Assign: { by: 'state' },
          Catch: [
            {
              ErrorEquals: ['E'],
              Output: '{% $merge([$states.input, {"error-info": $states.errorOutput.Error}]) %}',
              Assign: { caught: '{% $states.errorOutput.Error %}' },
              Next: 'Show',
            },
          ],
        },
        Show: { Type: 'Pass', Output: ['{% $states.input %}', '{% $by %}', '{% $caught %}'], End: true },
      }),
      input: { a: 1 },
      output: [{ a: 1, 'error-info': 'E' }, 'before', 'E'],
    },
    'uses the first Catcher that matches the error (spec: Fallback states)': {
      definition: failed([
        { ErrorEquals: ['Other'], Output: 1, Next: 'Caught' },
        { ErrorEquals: ['X', 'E'], Output: 2, Next: 'Caught' },
        { ErrorEquals: ['States.ALL'], Output: 3, Next: 'Caught' },
      ]),
      output: 2,
    },
    'applies after the last retry (spec: Fallback states)': {
      definition: failed(
        [{ ErrorEquals: ['E'], Output: '{% $states.context.State.RetryCount %}', Next: 'Caught' }],
        {
          Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1 }],
        },
      ),
      output: 1,
    },
    'catches an error inside a Map (spec: Fallback states)': {
      definition: machine({
        M: {
          Type: 'Map',
          Items: [1],
          ItemProcessor: branch({ F: { Type: 'Fail', Error: 'Inside' } }),
          Catch: [{ ErrorEquals: ['Inside'], Next: 'Caught' }],
          End: true,
        },
        Caught,
      }),
      output: { Error: 'Inside' },
    },
    'catches a failed evaluation of the state (spec: JSONata Runtime Errors)': {
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
    'lets the execution fail if no Catcher matches the error (spec: Fallback states)': {
      definition: failed([{ ErrorEquals: ['Other'], Next: 'Caught' }]),
      error: 'E',
    },
  });
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
