import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { jobErrors, stepFailures } from '../../contract/kit/errors.ts';
import {
  broken,
  busy,
  permanent,
  type Retrier,
  refused,
  retriers,
  throttled,
} from '../../lib/jobs/retrying.ts';
import { completed, type ShortMachine } from '../../lib/jobs/task-fields.ts';

const short = (States: ShortMachine['States'], Shared = {}): ShortMachine => ({
  QueryLanguage: 'JSONata',
  StartAt: Object.keys(States)[0],
  Shared,
  States,
});
const end = { Type: 'Succeed' };
const own = { FunctionName: `\${ProbeMedia}` };

describe('a task in a file of state-machines/', () => {
  const machine = completed(
    short(
      {
        ProbeMedia: { Type: 'Task', Next: 'Pieces' },
        Pieces: {
          Type: 'Map',
          ItemProcessor: { StartAt: 'Piece', States: { Piece: { Type: 'Task', Arguments: own, End: true } } },
          Next: 'Report',
        },
        Report: { Type: 'Task', Arguments: own, Catch: { 'States.ALL': 'Failed' }, Next: 'Slow' },
        Slow: { Type: 'Task', Arguments: own, TimeoutSeconds: 7, Retry: [], Catch: [], Next: 'End' },
        End: end,
      },
      { Arguments: { Payload: '{% $job %}' }, Catch: { 'States.ALL': 'Report', canceled: 'End' } },
    ),
  );
  const { ProbeMedia, Pieces, Report, Slow, Failed } = machine.States;

  it('becomes valid Amazon States Language, without the notation of ours', () => {
    const { isValid, errorsText } = aslValidator(structuredClone(machine) as never, { checkArn: false });
    expect(isValid, errorsText('\n')).toBe(true);
    expect(machine).not.toHaveProperty('Shared');
  });

  it('invokes the function of its name, and passes on what that returns', () => {
    expect(ProbeMedia).toMatchObject({
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: `\${ProbeMedia}`, Payload: '{% $job %}' },
      TimeoutSeconds: 930,
      Retry: retriers,
      Output: '{% $states.result.Payload %}',
    });
  });

  it('is caught as its machine says, all other errors last', () => {
    const rules = ProbeMedia!.Catch as { ErrorEquals: string[]; Next: string }[];
    expect(rules.map(({ ErrorEquals, Next }) => [...ErrorEquals, Next])).toEqual([
      ['canceled', 'End'],
      ['States.ALL', 'Report'],
    ]);
    expect(Pieces!.Catch).toEqual(rules);
  });

  it('has no Catch inside of a Map, which fails with it', () => {
    const { Piece } = Pieces!.ItemProcessor!.States;
    expect(Piece).toMatchObject({ Retry: retriers, TimeoutSeconds: 930 });
    expect(Piece).not.toHaveProperty('Catch');
  });

  it('keeps what it says itself', () => {
    expect(Report!.Catch).toMatchObject([{ ErrorEquals: ['States.ALL'], Next: 'Failed' }]);
    expect(Slow).toMatchObject({
      Arguments: { FunctionName: own.FunctionName, Payload: '{% $job %}' },
      TimeoutSeconds: 7,
      Retry: [],
      Catch: [],
    });
  });

  it('may fail the execution, with the error and its cause', () => {
    expect(Failed).toEqual({ Type: 'Fail', Error: '{% $failure.Error %}', Cause: '{% $failure.Cause %}' });
    expect(completed(short({ ProbeMedia: { Type: 'Task', End: true } })).States).not.toHaveProperty('Failed');
  });

  it('may name another resource, and then says all but retries itself', () => {
    const nested = { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution', End: true };
    expect(completed(short({ Nested: nested })).States.Nested).toEqual({ ...nested, Retry: retriers });
  });

  it('must be a step that is known', () => {
    const unknown = short({ Unknown: { Type: 'Task', End: true } });
    expect(() => completed(unknown)).toThrow('the step Unknown, which has no settings in lib/jobs/steps.ts');
  });
});

describe('retries', () => {
  it('leave out every code of a job that its caller has to mend', () => {
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
  /** Seconds between the attempts, at most: what is drawn is half of it on average. */
  const waitsOf = ({ IntervalSeconds, BackoffRate, MaxAttempts, MaxDelaySeconds }: Required<Retrier>) =>
    Array.from({ length: MaxAttempts }, (_, at) =>
      Math.min(IntervalSeconds * BackoffRate ** at, MaxDelaySeconds),
    ).reduce((sum, wait) => sum + wait);

  it.each([
    ['a quarter of an hour on average where Lambda does not take a step', refused, 840],
    ['a day on average where there is no room, so that jobs that meet do not fail', throttled, 86_000],
    ['an hour and three quarters on average where a provider is asked too much', busy, 6300],
  ])('go on for %s', (_, errors, seconds) => {
    expect(waitsOf(ruleOf(errors)) / 2).toBeGreaterThan(seconds);
  });

  it('end within ten minutes where a provider is broken, and have given it some', () => {
    expect(waitsOf(ruleOf(broken))).toBeLessThan(600);
    expect(waitsOf(ruleOf(broken)) / 2).toBeGreaterThan(180);
  });

  it('leave room in the history of an execution, of which each repetition takes three events', () => {
    const most = retriers.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 0);
    expect(3 * most).toBeLessThan(25_000 / 10);
  });

  it('draw every wait, so that jobs that failed together do not come back together', () => {
    for (const { JitterStrategy, MaxAttempts } of retriers)
      expect([MaxAttempts === 0, JitterStrategy === 'FULL']).toContain(true);
  });

  it('name each failure once, and end with all others', () => {
    const named = retriers.flatMap(({ ErrorEquals }) => ErrorEquals);
    expect(new Set(named).size).toBe(named.length);
    expect(named.at(-1)).toBe('States.ALL');
    expect(named).toEqual(expect.arrayContaining(Object.keys(stepFailures)));
    // A name that were a code as well would be told to callers.
    for (const name of Object.keys(stepFailures)) expect(Object.keys(jobErrors)).not.toContain(name);
  });
});
