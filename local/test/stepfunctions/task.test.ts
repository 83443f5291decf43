import { describe, expect, it } from 'vitest';
import { check } from './cases.ts';
import {
  branch,
  type FakeCall,
  FunctionError,
  functionArn,
  LAMBDA_INVOKE,
  machine,
  machineArn,
  run,
} from './harness.ts';

const callbackResource = `${LAMBDA_INVOKE}.waitForTaskToken`;
const startResource = 'arn:aws:states:::states:startExecution';

const functions = { echo: (payload: unknown) => payload };
const bare = (name: string, fields = {}) => ({
  Type: 'Task',
  Resource: functionArn(name),
  End: true,
  ...fields,
});
const invoke = (FunctionName: string, Payload: unknown, fields = {}) => ({
  Type: 'Task',
  Resource: LAMBDA_INVOKE,
  Arguments: { FunctionName, Payload },
  End: true,
  ...fields,
});
const callback = (fields = {}) => ({
  Type: 'Task',
  Resource: callbackResource,
  Arguments: { FunctionName: 'worker', Payload: { token: '{% $states.context.Task.Token %}' } },
  End: true,
  ...fields,
});
const caught = { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] };
const Caught = { Type: 'Pass', End: true };
const never = () => new Promise(() => {});
const forever = new AbortController().signal;

describe('a task that calls a function directly', () => {
  check(functions, {
    'sends the state input, and returns the result of the function (spec: Task State)': {
      definition: machine({ T: bare('echo') }),
      input: { a: 1 },
      output: { a: 1 },
    },
    'sends its Arguments, and returns its Output (spec: Using Arguments and Output)': {
      definition: machine({
        T: bare('echo', {
          Arguments: ['{% $states.input.a %}'],
          Output: { in: '{% $states.input.a %}', out: '{% $states.result[0] %}' },
        }),
      }),
      input: { a: 1 },
      output: { in: 1, out: 1 },
    },
    'assigns variables from the result (spec: Using Assign)': {
      definition: machine({
        T: {
          Type: 'Task',
          Resource: functionArn('echo'),
          Assign: { got: '{% $states.result %}' },
          Next: 'Show',
        },
        Show: { Type: 'Pass', Output: '{% $got %}', End: true },
      }),
      input: 'x',
      output: 'x',
    },
    'fails with the errorType of the function, and its error object as Cause (guide: Handling errors in Step Functions workflows)':
      {
        definition: machine({ T: bare('failing') }),
        functions: {
          failing: () => {
            throw new FunctionError('CustomError', 'This is a custom error!');
          },
        },
        error: 'CustomError',
        cause: '{"errorType":"CustomError","errorMessage":"This is a custom error!","trace":[]}',
      },
  });

  it.each([
    ['TooManyRequestsException', 'Lambda.TooManyRequestsException'],
    ['ServiceException', 'Lambda.ServiceException'],
    ['SdkClientException', 'Lambda.SdkClientException'],
    ['ResourceNotFoundException', 'Lambda.ResourceNotFoundException'],
    ['AccessDeniedException', 'States.Permissions'],
    ['TypeError', 'Lambda.Unknown'],
  ])(
    'reports a %s of the service as %s (guide: Best practices, Handle transient Lambda service exceptions)',
    async (name, error) => {
      const absent = () => {
        throw Object.assign(new Error('no'), { name });
      };
      const outcome = await run({ definition: machine({ T: bare('absent') }), functions: { absent } });
      expect(outcome).toMatchObject({ status: 'FAILED', error, cause: 'no' });
    },
  );
});

describe('lambda:invoke', () => {
  check(functions, {
    'returns the result of the function as Payload, with status and version (guide: Invoke an AWS Lambda function with Step Functions)':
      {
        definition: machine({ T: invoke(functionArn('echo'), { a: '{% $states.input %}' }) }),
        input: 1,
        output: { ExecutedVersion: '$LATEST', Payload: { a: 1 }, StatusCode: 200 },
      },
    'accepts a function name instead of an ARN, and sends an empty Payload by default (guide: Invoke an AWS Lambda function with Step Functions)':
      {
        definition: machine({ T: invoke('echo', undefined, { Output: '{% $states.result.Payload %}' }) }),
        output: {},
      },
    'fails without a FunctionName, and no Catcher catches States.Runtime (guide: Handling errors in Step Functions workflows)':
      {
        definition: machine({ T: invoke('', 1, { Arguments: '{% {} %}', ...caught }), Caught }),
        error: 'States.Runtime',
      },
  });
});

describe('TimeoutSeconds', () => {
  it.each([
    ['a function', bare('late', { TimeoutSeconds: 60 })],
    ['lambda:invoke', invoke('late', {}, { TimeoutSeconds: 60, Output: '{% $states.result.Payload %}' })],
  ])('does not count the time for which %s waits in the queue', async (_, task) => {
    const late = async (_payload: unknown, { beginsWith, clock }: FakeCall) => {
      const place = clock.until(clock.now() + 3_600_000, forever);
      beginsWith(place);
      await place;
      await clock.until(clock.now() + 50_000, forever);
      return 'done';
    };
    const outcome = await run({ definition: machine({ T: task }), functions: { late } });
    expect(outcome).toMatchObject({ status: 'SUCCEEDED', output: 'done' });
  });

  it('counts from the start of the invocation', async () => {
    const late = async (_payload: unknown, { beginsWith, clock }: FakeCall) => {
      const place = clock.until(clock.now() + 3_600_000, forever);
      beginsWith(place);
      await never();
    };
    const definition = machine({ T: bare('late', { TimeoutSeconds: 60 }) });
    const outcome = await run({ definition, functions: { late } });
    expect(outcome).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    expect(outcome.took).toBe(3_660_000);
  });

  it('fails a task that runs longer, and aborts its request (spec: Timeouts)', async () => {
    const definition = machine({ T: bare('never', { TimeoutSeconds: '{% $states.input %}' }) });
    const outcome = await run({ definition, functions: { never }, input: 30 });
    expect(outcome).toMatchObject({ status: 'FAILED', error: 'States.Timeout', took: 30_000 });
    expect(outcome.invocations[0]?.signal.aborted).toBe(true);
  });

  check(functions, {
    'must be a positive integer (spec: Timeouts)': {
      definition: machine({ T: bare('echo', { TimeoutSeconds: '{% 0 %}' }) }),
      error: 'States.QueryEvaluationError',
      cause: /TimeoutSeconds/,
    },
  });
});

describe('a task that waits for its token', () => {
  check(functions, {
    'returns the output of SendTaskSuccess, not the result of the function (guide: Wait for a Callback with Task Token)':
      {
        definition: machine({ T: callback() }),
        functions: {
          worker: ({ token }, { engine }) => {
            setTimeout(() => engine.succeedTask(token, { done: true }), 5);
            return 'ignored';
          },
        },
        output: { done: true },
      },
    'accepts an output that is sent before the function returns (guide: Wait for a Callback with Task Token)':
      {
        definition: machine({ T: callback() }),
        functions: { worker: ({ token }, { engine }) => engine.succeedTask(token, 1).then(never) },
        output: 1,
      },
    'fails with the error of SendTaskFailure (guide: Wait for a Callback with Task Token)': {
      definition: machine({ T: callback() }),
      functions: { worker: ({ token }, { engine }) => engine.failTask(token, { error: 'E', cause: 'C' }) },
      error: 'E',
      cause: 'C',
    },
    'fails if the function fails (guide: Wait for a Callback with Task Token)': {
      definition: machine({ T: callback() }),
      functions: {
        worker: () => {
          throw new FunctionError('E');
        },
      },
      error: 'E',
    },
    'fails with States.Timeout if no heartbeat comes in time (spec: Timeouts)': {
      definition: machine({ T: callback({ HeartbeatSeconds: 5, TimeoutSeconds: 60 }) }),
      functions: { worker: () => null },
      error: 'States.Timeout',
    },
    'lets States.HeartbeatTimeout catch a missed heartbeat (spec: Appendix A: Predefined Error Codes)': {
      definition: machine({
        T: callback({
          HeartbeatSeconds: 5,
          Catch: [{ ErrorEquals: ['States.HeartbeatTimeout'], Next: 'Caught' }],
        }),
        Caught,
      }),
      functions: { worker: () => null },
      output: { Error: 'States.Timeout' },
    },
    'does not let States.HeartbeatTimeout catch a task that took too long (spec: Appendix A: Predefined Error Codes)':
      {
        definition: machine({
          T: callback({
            TimeoutSeconds: 5,
            Catch: [{ ErrorEquals: ['States.HeartbeatTimeout'], Next: 'Caught' }],
          }),
          Caught,
        }),
        functions: { worker: () => null },
        error: 'States.Timeout',
      },
  });

  it('continues as long as heartbeats come in time (guide: Wait for a Callback with Task Token)', async () => {
    const definition = machine({ T: callback({ HeartbeatSeconds: 10 }) });
    const worker = ({ token }: { token: string }, { engine, clock }: FakeCall) => {
      const beat = async (): Promise<void> => {
        for (let beats = 0; beats < 3; beats += 1) {
          await clock.until(clock.now() + 6_000, new AbortController().signal);
          await engine.heartbeat(token);
        }
        await engine.succeedTask(token, 'alive');
      };
      void beat();
      return null;
    };
    const outcome = await run({ definition, functions: { worker } });
    expect(outcome).toMatchObject({ status: 'SUCCEEDED', output: 'alive', took: 18_000 });
  });
});

describe('a nested execution', () => {
  const child = machine({ A: { Type: 'Pass', Output: { doubled: '{% $states.input.n * 2 %}' }, End: true } });
  const failing = machine({ F: { Type: 'Fail', Error: 'E', Cause: 'C' } });
  const start = (resource: string, name: string, fields = {}) => ({
    Type: 'Task',
    Resource: resource,
    Arguments: { StateMachineArn: machineArn(name), Input: { n: '{% $states.input %}' }, Name: 'the-child' },
    End: true,
    ...fields,
  });
  const childArn = 'arn:aws:states:eu-west-1:123456789012:execution:child:the-child';

  check(functions, {
    'is started, and the task returns its ARN without waiting (guide: Start a new AWS Step Functions state machine from a running execution)':
      {
        definition: machine({ T: start(startResource, 'child') }),
        others: { child },
        input: 4,
        output: { ExecutionArn: childArn, StartDate: Date.UTC(2026, 0, 1) },
      },
    'returns its output as JSON to a task with .sync:2, which waits for it (guide: Start a new AWS Step Functions state machine from a running execution)':
      {
        definition: machine({
          T: start(`${startResource}.sync:2`, 'child', {
            Output: '{% [$states.result.Status, $states.result.Input, $states.result.Output] %}',
          }),
        }),
        others: { child },
        input: 4,
        output: ['SUCCEEDED', { n: 4 }, { doubled: 8 }],
      },
    'lets a task with .sync:2 fail with States.TaskFailed if it fails (guide: Start a new AWS Step Functions state machine from a running execution)':
      {
        definition: machine({ T: start(`${startResource}.sync:2`, 'child') }),
        others: { child: failing },
        error: 'States.TaskFailed',
        cause: /"Error":"E","Cause":"C".*"Status":"FAILED"/,
      },
    'fails if the machine does not exist (guide: Start a new AWS Step Functions state machine from a running execution)':
      {
        definition: machine({ T: start(startResource, 'absent') }),
        error: 'StepFunctions.StateMachineDoesNotExistException',
      },
  });

  it('is stopped when the task that waits for it ends (guide: Discover service integration patterns)', async () => {
    const endless = machine({ W: { Type: 'Wait', Seconds: 1000, End: true } });
    const definition = machine({
      P: {
        Type: 'Parallel',
        Branches: [branch({ T: start(`${startResource}.sync:2`, 'child', { TimeoutSeconds: 10 }) })],
        Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Look' }],
        End: true,
      },
      Look: bare('look'),
    });
    const look = async (_: unknown, { engine }: FakeCall) => (await engine.ended(childArn)).status;
    expect(await run({ definition, others: { child: endless }, functions: { look } })).toMatchObject({
      output: 'ABORTED',
    });
  });
});
