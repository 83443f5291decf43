import { describe, expect, it } from 'vitest';
import { check } from './cases.ts';
import { FunctionError, functionArn, LAMBDA_INVOKE, machine, run } from './harness.ts';

const echo = { echo: (payload: unknown) => payload };
const task = (name: string, fields = {}) => ({
  Type: 'Task',
  Resource: functionArn(name),
  End: true,
  ...fields,
});

describe('Pass', () => {
  check([
    {
      source: 'spec: Pass State',
      title: 'copies its input to its output',
      definition: machine({ A: { Type: 'Pass', End: true } }),
      input: { a: [1, null] },
      output: { a: [1, null] },
    },
    {
      source: 'spec: JSONata Pass State',
      title: 'returns its Output, with expressions at any depth',
      definition: machine({
        A: {
          Type: 'Pass',
          Output: { sum: '{% $states.input.a + 1 %}', list: ['{% $states.input.a %}', 'x'] },
          End: true,
        },
      }),
      input: { a: 1 },
      output: { sum: 2, list: [1, 'x'] },
    },
    {
      source: 'spec: JSONata Evaluation',
      title: 'leaves strings without delimiters of an expression unchanged',
      definition: machine({
        A: { Type: 'Pass', Output: ['$states.input', ' {% 1 %}', '{ % 1 % }'], End: true },
      }),
      output: ['$states.input', ' {% 1 %}', '{ % 1 % }'],
    },
  ]);
});

describe('Assign', () => {
  const greetEveryone = machine({
    'Get Greeting': { Type: 'Pass', Assign: { outer: 'hello' }, Next: 'Greet Everyone' },
    'Greet Everyone': {
      Type: 'Map',
      Items: [1],
      ItemProcessor: {
        StartAt: 'Begin',
        States: {
          Begin: { Type: 'Pass', Assign: { inner: 'world', hi: '{% $outer %}' }, Next: 'End' },
          End: { Type: 'Succeed', Output: '{% $hi & " " & $inner %}' },
        },
      },
      Assign: { outer: 2 },
      Next: 'Goodbye',
    },
    Goodbye: { Type: 'Succeed', Output: { greeted: '{% $states.input %}', outer: '{% $outer %}' } },
  });
  const branch = (states: Record<string, unknown>) => ({ StartAt: Object.keys(states)[0], States: states });

  check([
    {
      source: 'spec: Assigning State Machine Variables',
      title: 'evaluates with the old values of variables; the next state has the new values',
      definition: machine({
        First: { Type: 'Pass', Assign: { x: 5 }, Next: 'Second' },
        Second: { Type: 'Pass', Assign: { x: 42, old: '{% $x %}' }, Output: '{% $x %}', Next: 'Third' },
        Third: {
          Type: 'Pass',
          Output: { x: '{% $x %}', old: '{% $old %}', seen: '{% $states.input %}' },
          End: true,
        },
      }),
      output: { x: 42, old: 5, seen: 5 },
    },
    {
      source: 'spec: Variable Scope',
      title: 'lets an iteration read outer variables and have its own',
      definition: greetEveryone,
      output: { greeted: ['hello world'], outer: 2 },
    },
    {
      source: 'spec: Variable Scope',
      title: 'drops the variables of a branch when the branch ends',
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [branch({ A: { Type: 'Pass', Assign: { a: 1 }, End: true } })],
          Next: 'After',
        },
        After: { Type: 'Pass', Output: '{% $exists($a) %}', End: true },
      }),
      output: false,
    },
    {
      source: 'spec: Variable Scope',
      title: 'hides the variables of one branch from another',
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [
            branch({
              A: { Type: 'Pass', Assign: { a: 1 }, Next: 'B' },
              B: { Type: 'Pass', Output: '{% $a %}', End: true },
            }),
            branch({
              W: { Type: 'Wait', Seconds: 5, Next: 'C' },
              C: { Type: 'Pass', Output: '{% $exists($a) %}', End: true },
            }),
          ],
          End: true,
        },
      }),
      output: [1, false],
    },
    {
      source: 'guide: Passing data between states with variables',
      title: 'hides the outer variables from the children of a distributed Map',
      definition: machine({
        A: { Type: 'Pass', Assign: { a: 1 }, Next: 'M' },
        M: {
          Type: 'Map',
          Items: [1],
          ItemProcessor: {
            ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
            ...branch({ B: { Type: 'Pass', Output: '{% $exists($a) %}', End: true } }),
          },
          End: true,
        },
      }),
      output: [false],
    },
    {
      source: 'spec: Assigning State Machine Variables',
      title: 'keeps a variable unchanged if an expression assigns the same name',
      definition: machine({
        A: { Type: 'Pass', Assign: { x: 1 }, Next: 'B' },
        B: { Type: 'Pass', Output: '{% ($x := 2; $x) %}', Next: 'C' },
        C: { Type: 'Pass', Output: ['{% $states.input %}', '{% $x %}'], End: true },
      }),
      output: [2, 1],
    },
  ]);
});

describe('Choice', () => {
  const rule = (condition: string, fields = {}) => ({
    Condition: `{% ${condition} %}`,
    Next: 'Chosen',
    ...fields,
  });
  const chosen = { Type: 'Pass', Output: ['{% $states.input %}', '{% $by %}'], End: true };
  const choose = (...rules: unknown[]) => machine({ C: { Type: 'Choice', Choices: rules }, Chosen: chosen });
  const byDefault = (fields: Record<string, unknown>) =>
    machine({
      C: { Type: 'Choice', Choices: [rule('$states.input > 10')], Default: 'Small', ...fields },
      Chosen: chosen,
      Small: chosen,
    });

  check([
    {
      source: 'spec: JSONata Choice State',
      title: 'uses Next, Assign and Output of the first rule with a true Condition',
      definition: choose(
        rule('$states.input > 10', { Output: 'big', Assign: { by: 'first' } }),
        rule('$states.input > 5', { Output: 'middle', Assign: { by: 'second' } }),
        rule('true', { Output: 'any', Assign: { by: 'third' } }),
      ),
      input: 7,
      output: ['middle', 'second'],
    },
    {
      source: 'spec: Choice State',
      title: 'passes its input to the next state if the rule has no Output',
      definition: choose(rule('true', { Assign: { by: 'rule' } })),
      input: { n: 6 },
      output: [{ n: 6 }, 'rule'],
    },
    {
      source: 'spec: Choice State',
      title: 'uses Default and its own Assign and Output if no Condition is true',
      definition: byDefault({ Assign: { by: 'state' }, Output: 'small' }),
      input: 1,
      output: ['small', 'state'],
    },
    {
      source: 'spec: Choice State',
      title: 'fails with States.NoChoiceMatched if no Condition is true and it has no Default',
      definition: choose(rule('false')),
      error: 'States.NoChoiceMatched',
    },
    {
      source: 'spec: JSONata Runtime Errors',
      title: 'fails if a Condition is not a boolean',
      definition: choose(rule("'true'")),
      error: 'States.QueryEvaluationError',
      cause: /'Choices\[0\]\/Condition'.*Expected 'boolean', but was 'string'/,
    },
  ]);
});

describe('Wait', () => {
  it.each([
    { fields: { Seconds: 90 }, seconds: 90, source: 'spec: Wait State' },
    { fields: { Seconds: '{% $states.input.wait * 2 %}' }, seconds: 20, source: 'spec: JSONata Wait State' },
    { fields: { Seconds: 0 }, seconds: 0, source: 'spec: JSONata Wait State' },
    { fields: { Timestamp: '2026-01-01T00:01:00Z' }, seconds: 60, source: 'spec: Wait State' },
    { fields: { Timestamp: '{% $states.input.at %}' }, seconds: 30, source: 'spec: JSONata Wait State' },
    { fields: { Timestamp: '2025-01-01T00:00:00Z' }, seconds: 0, source: 'spec: Wait State' },
  ])('with $fields, takes $seconds s ($source)', async ({ fields, seconds }) => {
    const definition = machine({
      W: { Type: 'Wait', ...fields, Output: '{% $states.input.wait %}', End: true },
    });
    const outcome = await run({ definition, input: { wait: 10, at: '2026-01-01T01:00:30+01:00' } });
    expect(outcome).toMatchObject({ status: 'SUCCEEDED', output: 10, took: seconds * 1000 });
  });

  const wait = (fields: Record<string, unknown>) => machine({ W: { Type: 'Wait', ...fields, End: true } });
  check([
    {
      source: 'spec: JSONata Wait State',
      title: 'fails if Seconds is negative or not an integer',
      definition: wait({ Seconds: '{% -1 %}' }),
      error: 'States.QueryEvaluationError',
    },
    {
      source: 'spec: Timestamps',
      title: 'fails if Timestamp does not follow RFC 3339',
      definition: wait({ Timestamp: "{% 'tomorrow' %}" }),
      error: 'States.QueryEvaluationError',
      cause: /Timestamp/,
    },
  ]);
});

describe('Succeed and Fail', () => {
  check([
    {
      source: 'spec: Succeed State',
      title: 'ends the machine with the input as output',
      definition: machine({ S: { Type: 'Succeed' } }),
      input: 'x',
      output: 'x',
    },
    {
      source: 'spec: Succeed State',
      title: 'ends the machine with its Output',
      definition: machine({ S: { Type: 'Succeed', Output: '{% $states.input & "y" %}' } }),
      input: 'x',
      output: 'xy',
    },
    {
      source: 'spec: Fail State',
      title: 'ends the machine with Error and Cause',
      definition: machine({ F: { Type: 'Fail', Error: 'ErrorA', Cause: 'Kaiju attack' } }),
      error: 'ErrorA',
      cause: 'Kaiju attack',
    },
    {
      source: 'spec: JSONata Fail State',
      title: 'evaluates the expressions of Error and Cause',
      definition: machine({
        F: { Type: 'Fail', Error: '{% $states.input.e %}', Cause: '{% "because " & $states.input.c %}' },
      }),
      input: { e: 'E', c: 'C' },
      error: 'E',
      cause: 'because C',
    },
    {
      source: 'spec: JSONata Fail State',
      title: 'reports an evaluation error instead if Cause is not a string',
      definition: machine({ F: { Type: 'Fail', Error: 'E', Cause: '{% 1 %}' } }),
      error: 'States.QueryEvaluationError',
    },
  ]);
});

describe('Parallel', () => {
  const branches = (...names: string[]) =>
    names.map((name) => ({ StartAt: name, States: { [name]: task(name) } }));

  check([
    {
      source: 'spec: Parallel State',
      title: 'runs all branches on the same input, and returns their outputs in order',
      definition: machine({ P: { Type: 'Parallel', Branches: branches('add', 'subtract'), End: true } }),
      functions: { add: async ([a, b]) => a + b, subtract: ([a, b]) => a - b },
      input: [3, 2],
      output: [5, 1],
    },
    {
      source: 'spec: Parallel State',
      title: 'passes its Arguments to its branches, and returns its Output',
      definition: machine({
        P: {
          Type: 'Parallel',
          Arguments: { n: '{% $states.input + 1 %}' },
          Branches: branches('echo'),
          Output: '{% $states.result[0].n %}',
          End: true,
        },
      }),
      functions: echo,
      input: 1,
      output: 2,
    },
    {
      source: 'spec: Parallel State',
      title: 'lets a Succeed state end only its own branch',
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [{ StartAt: 'S', States: { S: { Type: 'Succeed' } } }, ...branches('echo')],
          Next: 'After',
        },
        After: { Type: 'Pass', End: true },
      }),
      functions: echo,
      input: 7,
      output: [7, 7],
    },
    {
      source: 'spec: Parallel State',
      title: 'fails with the error of a branch that fails',
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [
            ...branches('echo'),
            { StartAt: 'F', States: { F: { Type: 'Fail', Error: 'E', Cause: 'C' } } },
          ],
          End: true,
        },
      }),
      functions: echo,
      error: 'E',
      cause: 'C',
    },
  ]);

  it('stops all branches if one of them fails (spec: Parallel State)', async () => {
    const definition = machine({
      P: {
        Type: 'Parallel',
        Branches: branches('endless', 'failing'),
        Catch: [{ ErrorEquals: ['E'], Next: 'Z' }],
        End: true,
      },
      Z: { Type: 'Pass', End: true },
    });
    const endless = () => new Promise(() => {});
    const failing = () => {
      throw new FunctionError('E');
    };
    const outcome = await run({ definition, functions: { endless, failing } });
    expect(outcome).toMatchObject({ status: 'SUCCEEDED', output: { Error: 'E' } });
    expect(outcome.invocations.find(({ name }) => name === 'endless')?.signal.aborted).toBe(true);
  });
});

describe('the context object', () => {
  it('identifies the current state (guide: Accessing execution data from the Context object)', async () => {
    const definition = machine({ A: { Type: 'Pass', Output: '{% $states.context %}', End: true } });
    const outcome = await run({ definition, input: { a: 1 }, name: 'one' });
    expect(outcome.output).toEqual({
      Execution: {
        Id: 'arn:aws:states:eu-west-1:123456789012:execution:machine:one',
        Input: { a: 1 },
        Name: 'one',
        RoleArn: 'arn:aws:iam::123456789012:role/local-step-functions',
        StartTime: '2026-01-01T00:00:00.000Z',
        RedriveCount: 0,
      },
      StateMachine: { Id: 'arn:aws:states:eu-west-1:123456789012:stateMachine:machine', Name: 'machine' },
      State: { Name: 'A', EnteredTime: '2026-01-01T00:00:00.000Z', RetryCount: 0 },
    });
  });

  it('counts the retries of the state (guide: Accessing execution data from the Context object)', async () => {
    const definition = machine({
      A: task('flaky', {
        Arguments: '{% $states.context.State.RetryCount %}',
        Retry: [{ ErrorEquals: ['E'] }],
      }),
    });
    const flaky = (count: number) => {
      if (count < 2) throw new FunctionError('E');
      return count;
    };
    expect(await run({ definition, functions: { flaky } })).toMatchObject({ output: 2 });
  });
});

describe('data limits', () => {
  const tooMuch = 'x'.repeat(262_144);
  const big = { big: () => tooMuch };
  check([
    {
      source: 'guide: Step Functions service quotas',
      title: 'refuse a task result over 256 KiB',
      definition: machine({ A: task('big') }),
      functions: big,
      error: 'States.DataLimitExceeded',
      cause: /task 'A'/,
    },
    {
      source: 'guide: Step Functions service quotas',
      title: 'refuse an output over 256 KiB',
      definition: machine({ A: { Type: 'Pass', Output: "{% $pad('', 262144, 'x') %}", End: true } }),
      error: 'States.DataLimitExceeded',
    },
    {
      source: 'guide: Handling errors in Step Functions workflows',
      title: 'are not caught by States.ALL',
      definition: machine({
        A: { ...task('big'), Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Z' }] },
        Z: { Type: 'Pass', End: true },
      }),
      functions: big,
      error: 'States.DataLimitExceeded',
    },
    {
      source: 'guide: Handling errors in Step Functions workflows',
      title: 'are caught by a Catcher that names States.DataLimitExceeded',
      definition: machine({
        A: { ...task('big'), Catch: [{ ErrorEquals: ['States.DataLimitExceeded'], Next: 'Z' }] },
        Z: { Type: 'Pass', Output: 'caught', End: true },
      }),
      functions: big,
      output: 'caught',
    },
    {
      source: 'guide: Step Functions service quotas',
      title: 'refuse task arguments over 256 KiB',
      definition: machine({
        A: {
          Type: 'Task',
          Resource: LAMBDA_INVOKE,
          Arguments: { FunctionName: 'big', Payload: "{% $pad('', 262144) %}" },
          End: true,
        },
      }),
      functions: big,
      error: 'States.DataLimitExceeded',
    },
  ]);
});

describe('TimeoutSeconds of a machine', () => {
  it('ends the execution as timed out (guide: State machine structure)', async () => {
    const definition = machine({ W: { Type: 'Wait', Seconds: 100, End: true } }, { TimeoutSeconds: 10 });
    expect(await run({ definition })).toMatchObject({
      status: 'TIMED_OUT',
      error: 'States.Timeout',
      took: 10_000,
    });
  });
});
