/** A machine with everything that has to survive a crash, and functions that answer by the key alone. */

import { branch, callbackTask, functionArn, machine } from './harness.ts';

const task = (name: string, fields: object = { End: true }) => ({
  Type: 'Task',
  Resource: functionArn(name),
  ...fields,
});
const retry = [{ ErrorEquals: ['Flaky'], IntervalSeconds: 1, MaxAttempts: 2, JitterStrategy: 'FULL' }];

/** Input: `{ items: number[] }`. */
export const durableMachine = machine({
  Prepare: { Type: 'Pass', Assign: { factor: 10 }, Next: 'Fan' },
  Fan: {
    Type: 'Parallel',
    Branches: [
      branch({
        Each: {
          Type: 'Map',
          Items: '{% $states.input.items %}',
          MaxConcurrency: 2,
          ItemSelector: { n: '{% $states.context.Map.Item.Value * $factor %}' },
          ItemProcessor: branch({
            Flaky: task('flaky', {
              Retry: retry,
              Assign: { once: '{% $states.result %}' },
              Next: 'Rest',
            }),
            Rest: { Type: 'Wait', Seconds: 1, Next: 'Work' },
            Work: task('work', { Arguments: { once: '{% $once %}', id: '{% $uuid() %}' }, End: true }),
          }),
          End: true,
        },
      }),
      branch({
        Callback: callbackTask('callback'),
      }),
      branch({
        Caught: { ...task('broken'), Catch: [{ ErrorEquals: ['Broken'], Next: 'After' }] },
        After: { Type: 'Pass', Output: '{% $states.input.Error %}', End: true },
      }),
    ],
    Next: 'Spread',
  },
  Spread: {
    Type: 'Map',
    Items: [1, 2],
    Output: { fan: '{% $states.input %}', spread: '{% $states.result %}' },
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Child',
      States: {
        Child: task('work', { Arguments: { once: '{% $states.input %}' }, Next: 'Told' }),
        Told: {
          Type: 'Pass',
          Output: [
            '{% $states.input %}',
            '{% $states.context.Execution.Input %}',
            '{% $states.context.Execution.Id %}',
          ],
          End: true,
        },
      },
    },
    End: true,
  },
});

type Reply = { payload: unknown } | { functionError: { errorType: string; errorMessage: string } };
type Send = (token: string, output: string) => Promise<unknown>;

const failing = (errorType: string): Reply => ({ functionError: { errorType, errorMessage: 'as told' } });

/** Functions by name. The first attempt at `flaky` fails: an attempt's key ends with its number. */
export const durableFunctions: Record<string, (payload: unknown, key: string, send: Send) => Promise<Reply>> =
  {
    flaky: async (payload, key) =>
      key.endsWith('.0') ? failing('Flaky') : { payload: (payload as { n: number }).n },
    work: async (payload) => ({ payload: { worked: (payload as { once: unknown }).once } }),
    broken: async () => failing('Broken'),
    hold: async () => ({ payload: null }),
    callback: async (payload, _, send) => {
      // The worker answers a moment later, and once more if it is asked again.
      setTimeout(() => void send(payload as string, 'called back').catch(() => {}), 3);
      return { payload: 'accepted' };
    },
  };
