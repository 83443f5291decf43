import { describe, expect, it } from 'vitest';
import { check } from './cases.ts';
import { FunctionError, functionArn, machine, run } from './harness.ts';

const distributedMode = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };

/** A Map whose processor is one task. */
const map = (name: string, fields: Record<string, unknown> = {}, config?: object) => ({
  Type: 'Map',
  ItemProcessor: {
    ...(config && { ProcessorConfig: config }),
    StartAt: 'Work',
    States: { Work: { Type: 'Task', Resource: functionArn(name), End: true } },
  },
  End: true,
  ...fields,
});
const double = (n: number) => n * 2;
const echo = (payload: unknown) => payload;
const oddFails = (n: number) => {
  if (n % 2 === 1) throw new FunctionError('Odd', `${n}`);
  return n;
};

describe('an inline Map', () => {
  check([
    {
      source: 'spec: Selecting Items',
      title: 'uses its input as the items',
      definition: machine({ M: map('double') }),
      functions: { double },
      input: [1, 2, 3],
      output: [2, 4, 6],
    },
    {
      source: 'spec: JSONata Map State',
      title: 'evaluates Items from an expression, and returns the outputs in their order',
      definition: machine({ M: map('slowest-first', { Items: '{% $states.input.list %}' }) }),
      functions: {
        'slowest-first': (n: number) => new Promise((resolve) => setTimeout(() => resolve(n), 10 - n)),
      },
      input: { list: [1, 5, 9] },
      output: [1, 5, 9],
    },
    {
      source: 'spec: Selecting Items',
      title: 'uses Items from the definition, and evaluates their expressions',
      definition: machine({ M: map('echo', { Items: [1, '{% $states.input %}', { a: 'x' }] }) }),
      functions: { echo },
      input: 'in',
      output: [1, 'in', { a: 'x' }],
    },
    {
      source: 'spec: Selecting Items',
      title: 'builds each input with ItemSelector from the item, its index and the state input',
      definition: machine({
        M: map('echo', {
          Items: '{% $states.input.list %}',
          ItemSelector: {
            parcel: '{% $states.context.Map.Item.Value %}',
            at: '{% $states.context.Map.Item.Index %}',
            courier: '{% $states.input.courier %}',
          },
        }),
      }),
      functions: { echo },
      input: { list: ['a', 'b'], courier: 'UQS' },
      output: [
        { parcel: 'a', at: 0, courier: 'UQS' },
        { parcel: 'b', at: 1, courier: 'UQS' },
      ],
    },
    {
      source: 'spec: Map State',
      title: 'returns an empty array if there are no items',
      definition: machine({ M: map('echo') }),
      input: [],
      output: [],
    },
    {
      source: 'spec: Map State',
      title: 'returns an array for a single item',
      definition: machine({ M: map('echo', { Output: '{% $states.result %}' }) }),
      functions: { echo },
      input: [7],
      output: [7],
    },
    {
      source: 'spec: Selecting Items',
      title: 'fails if Items is not an array',
      definition: machine({ M: map('echo', { Items: '{% 1 %}' }) }),
      error: 'States.QueryEvaluationError',
      cause: /Expected 'array', but was 'number' for value: 1/,
    },
    {
      source: 'spec: Selecting Items',
      title: 'fails if it has no Items and its input is not an array',
      definition: machine({ M: map('echo') }),
      input: { a: 1 },
      error: 'States.Runtime',
    },
    {
      source: 'spec: Map State ItemProcessor definition',
      title: 'fails with the error of an iteration that fails',
      definition: machine({ M: map('odd-fails') }),
      functions: { 'odd-fails': oddFails },
      input: [2, 3],
      error: 'Odd',
      cause: /"errorMessage":"3"/,
    },
    {
      source: 'spec: Map State ItemProcessor definition',
      title: 'lets a Succeed state end only its own iteration',
      definition: machine({
        M: {
          ...map('x'),
          ItemProcessor: {
            StartAt: 'S',
            States: { S: { Type: 'Succeed', Output: '{% $states.input + 1 %}' } },
          },
        },
      }),
      input: [1, 2],
      output: [2, 3],
    },
    {
      source: 'spec: Map State',
      title: 'can contain another Map',
      definition: machine({
        M: { ...map('x'), ItemProcessor: { StartAt: 'Inner', States: { Inner: map('double') } } },
      }),
      functions: { double },
      input: [[1, 2], [], [3]],
      output: [[2, 4], [], [6]],
    },
  ]);

  it.each([
    [1, 1],
    [3, 3],
    [0, 40],
    ['{% 1 + 1 %}', 2],
  ])(
    'with MaxConcurrency %s, runs at most %i iterations at once (spec: Map State concurrency)',
    async (MaxConcurrency, most) => {
      let running = 0;
      let peak = 0;
      const count = async (n: number) => {
        running += 1;
        peak = Math.max(peak, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        return n;
      };
      const input = Array.from({ length: 50 }, (_, index) => index);
      const outcome = await run({
        definition: machine({ M: map('count', { MaxConcurrency }) }),
        functions: { count },
        input,
      });
      expect(outcome.output).toEqual(input);
      expect(peak).toBe(most);
      if (most === 1) expect(outcome.invocations.map(({ payload }) => payload)).toEqual(input);
    },
  );
});

describe('the failure tolerance of a Map', () => {
  const tolerant = (fields: object, config?: object) =>
    machine({ M: map('odd-fails', { MaxConcurrency: 1, ...fields }, config) });
  const functions = { 'odd-fails': oddFails };
  const failed = (n: number) => ({
    Error: 'Odd',
    Cause: `{"errorType":"Odd","errorMessage":"${n}","trace":[]}`,
  });
  const exceeded = { error: 'States.ExceedToleratedFailureThreshold' };

  check([
    {
      source: 'spec: Map State Failure Tolerance',
      title: 'allows ToleratedFailureCount failures, and returns their Error Output in the result',
      definition: tolerant({ ToleratedFailureCount: 2 }),
      functions,
      input: [1, 2, 3, 4],
      output: [failed(1), 2, failed(3), 4],
    },
    {
      source: 'spec: Map State Failure Tolerance',
      title: 'fails the Map if ToleratedFailureCount is exceeded',
      definition: tolerant({ ToleratedFailureCount: '{% 1 %}' }),
      functions,
      input: [1, 2, 3, 4],
      ...exceeded,
    },
    {
      source: 'spec: Map State Failure Tolerance',
      title: 'allows failures up to ToleratedFailurePercentage',
      definition: tolerant({ ToleratedFailurePercentage: 50 }),
      functions,
      input: [1, 2],
      output: [failed(1), 2],
    },
    {
      source: 'spec: Map State Failure Tolerance',
      title: 'fails the Map if ToleratedFailurePercentage is exceeded',
      definition: tolerant({ ToleratedFailurePercentage: '{% 49 %}' }),
      functions,
      input: [1, 2],
      ...exceeded,
    },
    {
      source: 'spec: Map State Failure Tolerance',
      title: 'fails the Map if either the count or the percentage is exceeded',
      definition: tolerant({ ToleratedFailurePercentage: 100, ToleratedFailureCount: 1 }),
      functions,
      input: [1, 3, 2],
      ...exceeded,
    },
    {
      source: 'guide: Setting failure thresholds for Distributed Map states',
      title: 'is zero by default, also for a distributed Map',
      definition: tolerant({}, distributedMode),
      functions,
      input: [2, 3],
      ...exceeded,
    },
  ]);
});

describe('a distributed Map', () => {
  const batched = (ItemBatcher: object, fields = {}) =>
    machine({ M: map('echo', { ItemBatcher, ...fields }, distributedMode) });

  check([
    {
      source: 'guide: Using Map state in Distributed mode',
      title: 'returns the outputs of its child executions in the order of the items',
      definition: machine({ M: map('double', {}, distributedMode) }),
      functions: { double },
      input: [1, 2, 3],
      output: [2, 4, 6],
    },
    {
      source: 'guide: Accessing execution data from the Context object',
      title: 'runs each item in a child execution of its own',
      definition: machine({
        M: {
          ...map('x'),
          Label: 'Each',
          ItemProcessor: {
            ProcessorConfig: distributedMode,
            StartAt: 'A',
            States: {
              A: {
                Type: 'Pass',
                Output:
                  "{% [$states.context.Execution.Input, $contains($states.context.Execution.Id, 'execution:machine/Each:')] %}",
                End: true,
              },
            },
          },
        },
      }),
      input: ['a', 'b'],
      output: [
        ['a', true],
        ['b', true],
      ],
    },
    {
      source: 'spec: Batching Items',
      title: 'limits a batch by the number of items',
      definition: batched({ MaxItemsPerBatch: 2 }),
      functions: { echo },
      input: [1, 2, 3],
      output: [{ Items: [1, 2] }, { Items: [3] }],
    },
    {
      source: 'spec: Batching Items',
      title: 'applies ItemSelector before batching, and adds BatchInput to each batch',
      definition: batched(
        { MaxItemsPerBatch: '{% 2 %}', BatchInput: { of: '{% $count($states.input) %}' } },
        { ItemSelector: { n: '{% $states.context.Map.Item.Value %}' } },
      ),
      functions: { echo },
      input: [1, 2, 3],
      output: [
        { BatchInput: { of: 3 }, Items: [{ n: 1 }, { n: 2 }] },
        { BatchInput: { of: 3 }, Items: [{ n: 3 }] },
      ],
    },
    {
      source: 'spec: Batching Items',
      title: 'limits a batch by its size, but always includes at least one item',
      definition: batched({ MaxInputBytesPerBatch: 20 }),
      functions: { echo },
      input: ['abc', 'def', 'a string too long for any batch'],
      output: [{ Items: ['abc'] }, { Items: ['def'] }, { Items: ['a string too long for any batch'] }],
    },
  ]);
});

describe('a Map over 10,000 items', () => {
  it('invokes the function once for each item, and writes a history of proportional length', async () => {
    const measure = async (length: number) => {
      let evaluations = 0;
      const work = (n: number) => {
        evaluations += 1;
        return n;
      };
      const definition = machine({
        M: map('work', { Items: `{% [1..${length}] %}`, Output: '{% $sum($states.result) %}' }),
      });
      const outcome = await run({ definition, functions: { work } });
      expect(outcome.output).toBe((length * (length + 1)) / 2);
      expect(evaluations).toBe(length);
      return outcome.history.length;
    };
    const small = await measure(1_000);
    expect(await measure(10_000)).toBe(small * 10 - 9 * 6);
  });
});
