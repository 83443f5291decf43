import { describe, expect, it } from 'vitest';
import { check } from './cases.ts';
import { branch, FunctionError, functionArn, LAMBDA_INVOKE, machine, run } from './harness.ts';

const tooMuch = 'x'.repeat(262_144);
const functions = { echo: (payload: unknown) => payload, big: () => tooMuch };
const task = (name: string, fields = {}) => ({
  Type: 'Task',
  Resource: functionArn(name),
  End: true,
  ...fields,
});

describe('Pass', () => {
  check(functions, {
    'copies its input to its output (spec: Pass State)': {
      definition: machine({ A: { Type: 'Pass', End: true } }),
      input: { a: [1, null] },
      output: { a: [1, null] },
    },
    'returns its Output, with expressions at any depth (spec: JSONata Pass State)': {
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
    'leaves strings without delimiters of an expression unchanged (spec: JSONata Evaluation)': {
      definition: machine({
        A: { Type: 'Pass', Output: ['$states.input', ' {% 1 %}', '{ % 1 % }'], End: true },
      }),
      output: ['$states.input', ' {% 1 %}', '{ % 1 % }'],
    },
  });
});

describe('Assign', () => {
  const greetEveryone = machine({
    'Get Greeting': { Type: 'Pass', Assign: { outer: 'hello' }, Next: 'Greet Everyone' },
    'Greet Everyone': {
      Type: 'Map',
      Items: [1],
      ItemProcessor: branch({
        Begin: { Type: 'Pass', Assign: { inner: 'world', hi: '{% $outer %}' }, Next: 'End' },
        End: { Type: 'Succeed', Output: '{% $hi & " " & $inner %}' },
      }),
      Assign: { outer: 2 },
      Next: 'Goodbye',
    },
    Goodbye: { Type: 'Succeed', Output: { greeted: '{% $states.input %}', outer: '{% $outer %}' } },
  });

  check(functions, {
    'evaluates with the old values of variables; the next state has the new values (spec: Assigning State Machine Variables)':
      {
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
    'lets an iteration read outer variables and have its own (spec: Variable Scope)': {
      definition: greetEveryone,
      output: { greeted: ['hello world'], outer: 2 },
    },
    'drops the variables of a branch when the branch ends (spec: Variable Scope)': {
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
    'hides the variables of one branch from another (spec: Variable Scope)': {
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
    'hides the outer variables from the children of a distributed Map (guide: Passing data between states with variables)':
      {
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
    'keeps a variable unchanged if an expression assigns the same name (spec: Assigning State Machine Variables)':
      {
        definition: machine({
          A: { Type: 'Pass', Assign: { x: 1 }, Next: 'B' },
          B: { Type: 'Pass', Output: '{% ($x := 2; $x) %}', Next: 'C' },
          C: { Type: 'Pass', Output: ['{% $states.input %}', '{% $x %}'], End: true },
        }),
        output: [2, 1],
      },
  });
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

  check(functions, {
    'uses Next, Assign and Output of the first rule with a true Condition (spec: JSONata Choice State)': {
      definition: choose(
        rule('$states.input > 10', { Output: 'big', Assign: { by: 'first' } }),
        rule('$states.input > 5', { Output: 'middle', Assign: { by: 'second' } }),
        rule('true', { Output: 'any', Assign: { by: 'third' } }),
      ),
      input: 7,
      output: ['middle', 'second'],
    },
    'passes its input to the next state if the rule has no Output (spec: Choice State)': {
      definition: choose(rule('true', { Assign: { by: 'rule' } })),
      input: { n: 6 },
      output: [{ n: 6 }, 'rule'],
    },
    'uses Default and its own Assign and Output if no Condition is true (spec: Choice State)': {
      definition: byDefault({ Assign: { by: 'state' }, Output: 'small' }),
      input: 1,
      output: ['small', 'state'],
    },
    'fails with States.NoChoiceMatched if no Condition is true and it has no Default (spec: Choice State)': {
      definition: choose(rule('false')),
      error: 'States.NoChoiceMatched',
    },
    'fails if a Condition is not a boolean (spec: JSONata Runtime Errors)': {
      definition: choose(rule("'true'")),
      error: 'States.QueryEvaluationError',
      cause: /'Choices\[0\]\/Condition'.*Expected 'boolean', but was 'string'/,
    },
  });
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
  check(functions, {
    'fails if Seconds is negative or not an integer (spec: JSONata Wait State)': {
      definition: wait({ Seconds: '{% -1 %}' }),
      error: 'States.QueryEvaluationError',
    },
    'fails if Timestamp does not follow RFC 3339 (spec: Timestamps)': {
      definition: wait({ Timestamp: "{% 'tomorrow' %}" }),
      error: 'States.QueryEvaluationError',
      cause: /Timestamp/,
    },
  });
});

describe('Succeed and Fail', () => {
  check(functions, {
    'ends the machine with the input as output (spec: Succeed State)': {
      definition: machine({ S: { Type: 'Succeed' } }),
      input: 'x',
      output: 'x',
    },
    'ends the machine with its Output (spec: Succeed State)': {
      definition: machine({ S: { Type: 'Succeed', Output: '{% $states.input & "y" %}' } }),
      input: 'x',
      output: 'xy',
    },
    'ends the machine with Error and Cause (spec: Fail State)': {
      definition: machine({ F: { Type: 'Fail', Error: 'ErrorA', Cause: 'Kaiju attack' } }),
      error: 'ErrorA',
      cause: 'Kaiju attack',
    },
    'evaluates the expressions of Error and Cause (spec: JSONata Fail State)': {
      definition: machine({
        F: { Type: 'Fail', Error: '{% $states.input.e %}', Cause: '{% "because " & $states.input.c %}' },
      }),
      input: { e: 'E', c: 'C' },
      error: 'E',
      cause: 'because C',
    },
    'reports an evaluation error instead if Cause is not a string (spec: JSONata Fail State)': {
      definition: machine({ F: { Type: 'Fail', Error: 'E', Cause: '{% 1 %}' } }),
      error: 'States.QueryEvaluationError',
    },
  });
});

describe('Parallel', () => {
  const branches = (...names: string[]) =>
    names.map((name) => ({ StartAt: name, States: { [name]: task(name) } }));

  check(functions, {
    'runs all branches on the same input, and returns their outputs in order (spec: Parallel State)': {
      definition: machine({ P: { Type: 'Parallel', Branches: branches('add', 'subtract'), End: true } }),
      functions: { add: async ([a, b]) => a + b, subtract: ([a, b]) => a - b },
      input: [3, 2],
      output: [5, 1],
    },
    'passes its Arguments to its branches, and returns its Output (spec: Parallel State)': {
      definition: machine({
        P: {
          Type: 'Parallel',
          Arguments: { n: '{% $states.input + 1 %}' },
          Branches: branches('echo'),
          Output: '{% $states.result[0].n %}',
          End: true,
        },
      }),
      input: 1,
      output: 2,
    },
    'lets a Succeed state end only its own branch (spec: Parallel State)': {
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [branch({ S: { Type: 'Succeed' } }), ...branches('echo')],
          Next: 'After',
        },
        After: { Type: 'Pass', End: true },
      }),
      input: 7,
      output: [7, 7],
    },
    'fails with the error of a branch that fails (spec: Parallel State)': {
      definition: machine({
        P: {
          Type: 'Parallel',
          Branches: [...branches('echo'), branch({ F: { Type: 'Fail', Error: 'E', Cause: 'C' } })],
          End: true,
        },
      }),
      error: 'E',
      cause: 'C',
    },
  });

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
  check(functions, {
    'refuse a task result over 256 KiB (guide: Step Functions service quotas)': {
      definition: machine({ A: task('big') }),
      error: 'States.DataLimitExceeded',
      cause: /task 'A'/,
    },
    'refuse an output over 256 KiB (guide: Step Functions service quotas)': {
      definition: machine({ A: { Type: 'Pass', Output: "{% $pad('', 262144, 'x') %}", End: true } }),
      error: 'States.DataLimitExceeded',
    },
    'are not caught by States.ALL (guide: Handling errors in Step Functions workflows)': {
      definition: machine({
        A: { ...task('big'), Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Z' }] },
        Z: { Type: 'Pass', End: true },
      }),
      error: 'States.DataLimitExceeded',
    },
    'are caught by a Catcher that names States.DataLimitExceeded (guide: Handling errors in Step Functions workflows)':
      {
        definition: machine({
          A: { ...task('big'), Catch: [{ ErrorEquals: ['States.DataLimitExceeded'], Next: 'Z' }] },
          Z: { Type: 'Pass', Output: 'caught', End: true },
        }),
        output: 'caught',
      },
    'refuse task arguments over 256 KiB (guide: Step Functions service quotas)': {
      definition: machine({
        A: {
          Type: 'Task',
          Resource: LAMBDA_INVOKE,
          Arguments: { FunctionName: 'big', Payload: "{% $pad('', 262144) %}" },
          End: true,
        },
      }),
      error: 'States.DataLimitExceeded',
    },
  });
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
