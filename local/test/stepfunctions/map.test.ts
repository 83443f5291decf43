import { describe, expect, it } from 'vitest';
import { check } from './cases.ts';
import { branch, FunctionError, functionArn, machine, run } from './harness.ts';

const distributedMode = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };

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

const functions = { double, echo, 'odd-fails': oddFails };

describe('an inline Map', () => {
  check(functions, {
    'uses its input as the items (spec: Selecting Items)': {
      definition: machine({ M: map('double') }),
      input: [1, 2, 3],
      output: [2, 4, 6],
    },
    'evaluates Items from an expression, and returns the outputs in their order (spec: JSONata Map State)': {
      definition: machine({ M: map('slowest-first', { Items: '{% $states.input.list %}' }) }),
      functions: {
        'slowest-first': (n: number) => new Promise((resolve) => setTimeout(() => resolve(n), 10 - n)),
      },
      input: { list: [1, 5, 9] },
      output: [1, 5, 9],
    },
    'uses Items from the definition, and evaluates their expressions (spec: Selecting Items)': {
      definition: machine({ M: map('echo', { Items: [1, '{% $states.input %}', { a: 'x' }] }) }),
      input: 'in',
      output: [1, 'in', { a: 'x' }],
    },
    'builds each input with ItemSelector from the item, its index and the state input (spec: Selecting Items)':
      {
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
        input: { list: ['a', 'b'], courier: 'UQS' },
        output: [
          { parcel: 'a', at: 0, courier: 'UQS' },
          { parcel: 'b', at: 1, courier: 'UQS' },
        ],
      },
    'returns an empty array if there are no items (spec: Map State)': {
      definition: machine({ M: map('echo') }),
      input: [],
      output: [],
    },
    'returns an array for a single item (spec: Map State)': {
      definition: machine({ M: map('echo', { Output: '{% $states.result %}' }) }),
      input: [7],
      output: [7],
    },
    'fails if Items is not an array (spec: Selecting Items)': {
      definition: machine({ M: map('echo', { Items: '{% 1 %}' }) }),
      error: 'States.QueryEvaluationError',
      cause: /Expected 'array', but was 'number' for value: 1/,
    },
    'fails if it has no Items and its input is not an array (spec: Selecting Items)': {
      definition: machine({ M: map('echo') }),
      input: { a: 1 },
      error: 'States.Runtime',
    },
    'fails with the error of an iteration that fails (spec: Map State ItemProcessor definition)': {
      definition: machine({ M: map('odd-fails') }),
      input: [2, 3],
      error: 'Odd',
      cause: /"errorMessage":"3"/,
    },
    'lets a Succeed state end only its own iteration (spec: Map State ItemProcessor definition)': {
      definition: machine({
        M: {
          ...map('x'),
          ItemProcessor: branch({ S: { Type: 'Succeed', Output: '{% $states.input + 1 %}' } }),
        },
      }),
      input: [1, 2],
      output: [2, 3],
    },
    'can contain another Map (spec: Map State)': {
      definition: machine({
        M: { ...map('x'), ItemProcessor: branch({ Inner: map('double') }) },
      }),
      input: [[1, 2], [], [3]],
      output: [[2, 4], [], [6]],
    },
  });

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
  const failed = (n: number) => ({
    Error: 'Odd',
    Cause: `{"errorType":"Odd","errorMessage":"${n}","trace":[]}`,
  });
  const exceeded = { error: 'States.ExceedToleratedFailureThreshold' };

  check(functions, {
    'allows ToleratedFailureCount failures, and returns their Error Output in the result (spec: Map State Failure Tolerance)':
      {
        definition: tolerant({ ToleratedFailureCount: 2 }),
        input: [1, 2, 3, 4],
        output: [failed(1), 2, failed(3), 4],
      },
    'fails the Map if ToleratedFailureCount is exceeded (spec: Map State Failure Tolerance)': {
      definition: tolerant({ ToleratedFailureCount: '{% 1 %}' }),
      input: [1, 2, 3, 4],
      ...exceeded,
    },
    'allows failures up to ToleratedFailurePercentage (spec: Map State Failure Tolerance)': {
      definition: tolerant({ ToleratedFailurePercentage: 50 }),
      input: [1, 2],
      output: [failed(1), 2],
    },
    'fails the Map if ToleratedFailurePercentage is exceeded (spec: Map State Failure Tolerance)': {
      definition: tolerant({ ToleratedFailurePercentage: '{% 49 %}' }),
      input: [1, 2],
      ...exceeded,
    },
    'fails the Map if either the count or the percentage is exceeded (spec: Map State Failure Tolerance)': {
      definition: tolerant({ ToleratedFailurePercentage: 100, ToleratedFailureCount: 1 }),
      input: [1, 3, 2],
      ...exceeded,
    },
    'is zero by default, also for a distributed Map (guide: Setting failure thresholds for Distributed Map states)':
      {
        definition: tolerant({}, distributedMode),
        input: [2, 3],
        ...exceeded,
      },
  });
});

describe('a distributed Map', () => {
  const batched = (ItemBatcher: object, fields = {}) =>
    machine({ M: map('echo', { ItemBatcher, ...fields }, distributedMode) });

  check(functions, {
    'returns the outputs of its child executions in the order of the items (guide: Using Map state in Distributed mode)':
      {
        definition: machine({ M: map('double', {}, distributedMode) }),
        input: [1, 2, 3],
        output: [2, 4, 6],
      },
    'runs each item in a child execution of its own (guide: Accessing execution data from the Context object)':
      {
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
    'limits a batch by the number of items (spec: Batching Items)': {
      definition: batched({ MaxItemsPerBatch: 2 }),
      input: [1, 2, 3],
      output: [{ Items: [1, 2] }, { Items: [3] }],
    },
    'applies ItemSelector before batching, and adds BatchInput to each batch (spec: Batching Items)': {
      definition: batched(
        { MaxItemsPerBatch: '{% 2 %}', BatchInput: { of: '{% $count($states.input) %}' } },
        { ItemSelector: { n: '{% $states.context.Map.Item.Value %}' } },
      ),
      input: [1, 2, 3],
      output: [
        { BatchInput: { of: 3 }, Items: [{ n: 1 }, { n: 2 }] },
        { BatchInput: { of: 3 }, Items: [{ n: 3 }] },
      ],
    },
    'limits a batch by its size, but always includes at least one item (spec: Batching Items)': {
      definition: batched({ MaxInputBytesPerBatch: 20 }),
      input: ['abc', 'def', 'a string too long for any batch'],
      output: [{ Items: ['abc'] }, { Items: ['def'] }, { Items: ['a string too long for any batch'] }],
    },
  });
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
