import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  paginateGetExecutionHistory,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StepFunctionsServer, startStepFunctions } from '../../stepfunctions/server.ts';
import { basicDate, CREDENTIALS, type SignOptions, sha256Hex, signByHand } from '../s3/harness.ts';
import { callbackTask, functionArn, LAMBDA_INVOKE, machine, machineArn, REGION } from './harness.ts';

const definitions = {
  double: machine({ D: { Type: 'Pass', Output: '{% $states.input.n * 2 %}', End: true } }),
  wait: machine({ W: { Type: 'Wait', Seconds: '{% $states.input.seconds %}', End: true } }),
  hold: machine({
    H: callbackTask('hold', { HeartbeatSeconds: 1000, End: true }),
  }),
  caught: machine({
    T: {
      Type: 'Task',
      Resource: LAMBDA_INVOKE,
      Arguments: { FunctionName: functionArn('failing'), Payload: { a: 1 } },
      Assign: { unused: 1 },
      TimeoutSeconds: 9,
      Catch: [
        {
          ErrorEquals: ['E'],
          Assign: { caught: true },
          Output: '{% $states.errorOutput.Error %}',
          Next: 'B',
        },
      ],
      End: true,
    },
    B: { Type: 'Task', Resource: functionArn('echo'), End: true },
  }),
};

/** Sends a request that is signed by hand. `body` is the signed body, if another one is sent. */
function call(
  operation: string,
  parameters: object,
  {
    headers = {},
    body = JSON.stringify(parameters),
    ...signing
  }: Partial<SignOptions> & { body?: string } = {},
): Promise<Response> {
  const signed = signByHand({
    method: 'POST',
    host: new URL(server.url).host,
    path: '/',
    headers: { 'x-amz-target': `AWSStepFunctions.${operation}` },
    payloadHash: sha256Hex(body),
    ...{ region: REGION, service: 'states', credentials: CREDENTIALS },
    ...signing,
  });
  const sent = { ...signed.headers, ...headers };
  return fetch(server.url, { method: 'POST', headers: sent, body: JSON.stringify(parameters) });
}

let dir: string;
let server: StepFunctionsServer;
let client: SFNClient;
let tokenCame = Promise.withResolvers<string>();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stepfunctions-'));
  server = await startStepFunctions({
    dir,
    port: 0,
    region: REGION,
    credentials: CREDENTIALS,
    stateMachines: Object.entries(definitions).map(([name, definition]) => ({
      name,
      arn: machineArn(name),
      definition,
    })),
    async invoke(arn, payload) {
      if (arn.endsWith(':failing')) return { functionError: { errorType: 'E', errorMessage: 'no' } };
      if (arn.endsWith(':hold')) tokenCame.resolve(payload as string);
      return { payload };
    },
  });
  client = new SFNClient({ endpoint: server.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 });
});

afterAll(async () => {
  client.destroy();
  await server.close();
  await rm(dir, { recursive: true });
});

function start(name: string, input: string, execution?: string) {
  const named = execution === undefined ? {} : { name: execution };
  return client.send(new StartExecutionCommand({ stateMachineArn: machineArn(name), input, ...named }));
}

const stop = (executionArn: string | undefined, failure: object = {}) =>
  client.send(new StopExecutionCommand({ executionArn, ...failure }));

async function ended(executionArn: string | undefined) {
  for (;;) {
    const description = await client.send(new DescribeExecutionCommand({ executionArn }));
    if (description.status !== 'RUNNING') return description;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function held() {
  tokenCame = Promise.withResolvers<string>();
  const { executionArn } = await start('hold', '{}');
  const token = await tokenCame.promise;
  return { executionArn, token };
}

describe('StartExecution and DescribeExecution', () => {
  it('start an execution and report its result', async () => {
    const { executionArn, startDate } = await start('double', '{"n": 21}', 'answer');
    expect(executionArn).toBe('arn:aws:states:eu-west-1:123456789012:execution:double:answer');
    expect(await ended(executionArn)).toMatchObject({
      executionArn,
      stateMachineArn: machineArn('double'),
      name: 'answer',
      status: 'SUCCEEDED',
      startDate,
      stopDate: expect.any(Date),
      input: '{"n": 21}',
      output: '42',
    });
  });

  it('return the same execution for the same name and input while it runs', async () => {
    const first = await start('wait', '{"seconds": 1000, "a": [1]}', 'same');
    expect(await start('wait', '{"a":[1],"seconds":1000}', 'same')).toMatchObject({
      executionArn: first.executionArn,
      startDate: first.startDate,
    });
    const taken = { name: 'ExecutionAlreadyExists' };
    await expect(start('wait', '{"seconds": 999}', 'same')).rejects.toMatchObject(taken);
    await stop(first.executionArn);
    await expect(start('wait', '{"seconds": 1000, "a": [1]}', 'same')).rejects.toMatchObject(taken);
  });

  it.each(['a b', 'a/b', 'a*', 'a:b', 'a\u0007', 'a'.repeat(81)])('refuse the name %j', async (name) => {
    await expect(start('double', '{}', name)).rejects.toMatchObject({ name: 'InvalidName' });
  });

  it('accept a name of 80 characters with letters of any script', async () => {
    const { executionArn } = await start('double', '{"n":1}', `ä.日本-_${'x'.repeat(73)}`);
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it.each<[string, string, string, string]>([
    ['an input that is not JSON', 'double', '{', 'InvalidExecutionInput'],
    ['an input of more than 256 KiB', 'double', JSON.stringify('x'.repeat(262_144)), 'ValidationException'],
    ['a machine that does not exist', 'absent', '{}', 'StateMachineDoesNotExist'],
  ])('refuse %s', async (_, machineName, input, name) => {
    await expect(start(machineName, input)).rejects.toMatchObject({ name });
  });

  it('refuse an execution that does not exist', async () => {
    const executionArn = 'arn:aws:states:eu-west-1:123456789012:execution:double:none';
    const none = client.send(new DescribeExecutionCommand({ executionArn }));
    await expect(none).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
  });
});

describe('StopExecution', () => {
  it('ends an execution as aborted, with the given error and cause', async () => {
    const { executionArn } = await start('wait', '{"seconds": 1000}');
    const { stopDate } = await stop(executionArn, { error: 'Enough', cause: 'tired' });
    expect(await ended(executionArn)).toMatchObject({
      status: 'ABORTED',
      stopDate,
      error: 'Enough',
      cause: 'tired',
    });
  });
});

describe('the list and describe operations', () => {
  it('list the machines', async () => {
    const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
    expect(stateMachines.map(({ name, type }) => [name, type])).toEqual(
      Object.keys(definitions).map((name) => [name, 'STANDARD']),
    );
  });

  it('describe a machine', async () => {
    const description = await client.send(
      new DescribeStateMachineCommand({ stateMachineArn: machineArn('double') }),
    );
    expect(description).toMatchObject({ name: 'double', status: 'ACTIVE', type: 'STANDARD' });
    expect(JSON.parse(description.definition ?? '')).toEqual(definitions.double);
  });

  it('list the executions of a machine, newest first, by status and page by page', async () => {
    const running = await start('wait', '{"seconds": 1000}', 'newest');
    const { executionArn } = await start('wait', '{"seconds": 0}', 'over');
    await ended(executionArn);
    const list = (fields: object) =>
      client.send(new ListExecutionsCommand({ stateMachineArn: machineArn('wait'), ...fields }));
    expect((await list({ statusFilter: 'RUNNING' })).executions).toMatchObject([
      { name: 'newest', status: 'RUNNING' },
    ]);
    const first = await list({ maxResults: 1 });
    const second = await list({ maxResults: 1, nextToken: first.nextToken });
    expect([first.executions?.[0]?.name, second.executions?.[0]?.name]).toEqual(['over', 'newest']);
    await expect(list({ nextToken: 'nonsense' })).rejects.toMatchObject({ name: 'InvalidToken' });
    await stop(running.executionArn);
  });
});

describe('GetExecutionHistory', () => {
  it('returns typed events that refer to their previous events', async () => {
    const { executionArn } = await start('caught', '{"in": 1}');
    await ended(executionArn);
    const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn }));
    expect(events.map(({ id, previousEventId, type }) => [id, previousEventId, type])).toEqual([
      [1, 0, 'ExecutionStarted'],
      [2, 0, 'TaskStateEntered'],
      [3, 2, 'TaskScheduled'],
      [4, 3, 'TaskStarted'],
      [5, 4, 'TaskFailed'],
      [6, 5, 'TaskStateExited'],
      [7, 6, 'TaskStateEntered'],
      [8, 7, 'LambdaFunctionScheduled'],
      [9, 8, 'LambdaFunctionStarted'],
      [10, 9, 'LambdaFunctionSucceeded'],
      [11, 10, 'TaskStateExited'],
      [12, 11, 'ExecutionSucceeded'],
    ]);
    expect(events[0]?.executionStartedEventDetails?.input).toBe('{"in": 1}');
    expect(events[2]?.taskScheduledEventDetails).toMatchObject({
      resourceType: 'lambda',
      resource: 'invoke',
      region: REGION,
      timeoutInSeconds: 9,
    });
    expect(JSON.parse(events[2]?.taskScheduledEventDetails?.parameters ?? '')).toEqual({
      FunctionName: functionArn('failing'),
      Payload: { a: 1 },
    });
    expect(events[4]?.taskFailedEventDetails).toEqual({
      resourceType: 'lambda',
      resource: 'invoke',
      error: 'E',
      cause: '{"errorType":"E","errorMessage":"no"}',
    });
    expect(events[5]?.stateExitedEventDetails).toMatchObject({
      name: 'T',
      output: '"E"',
      assignedVariables: { caught: 'true' },
    });
    expect(events[11]?.executionSucceededEventDetails?.output).toBe('"E"');
    expect(events.every(({ timestamp }) => timestamp instanceof Date)).toBe(true);
  });

  it('returns events page by page, and in reverse order', async () => {
    const { executionArn } = await start('double', '{"n":1}');
    await ended(executionArn);
    const all = [1, 2, 3, 4];
    for (const reverseOrder of [false, true]) {
      const ids: (number | undefined)[] = [];
      for await (const page of paginateGetExecutionHistory(
        { client, pageSize: 3 },
        { executionArn, reverseOrder },
      )) {
        ids.push(...(page.events ?? []).map(({ id }) => id));
      }
      expect(ids).toEqual(reverseOrder ? all.toReversed() : all);
    }
  });

  it('returns the events so far while the execution runs', async () => {
    const { executionArn } = await held();
    const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn }));
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
    ]);
    await stop(executionArn);
  });
});

describe('task tokens', () => {
  it('can be used once in SendTaskSuccess', async () => {
    const { executionArn, token: taskToken } = await held();
    await client.send(new SendTaskHeartbeatCommand({ taskToken }));
    await client.send(new SendTaskSuccessCommand({ taskToken, output: '{"done":true}' }));
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"done":true}' });
    for (const late of [
      new SendTaskSuccessCommand({ taskToken, output: '1' }),
      new SendTaskFailureCommand({ taskToken }),
      new SendTaskHeartbeatCommand({ taskToken }),
    ]) {
      const answer = client.send(late as SendTaskSuccessCommand);
      await expect(answer).rejects.toMatchObject({ name: 'TaskTimedOut' });
    }
  });

  it('can be used in SendTaskFailure', async () => {
    const { executionArn, token: taskToken } = await held();
    await client.send(new SendTaskFailureCommand({ taskToken, error: 'E', cause: 'C' }));
    expect(await ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'E', cause: 'C' });
  });

  it('are refused with an output that is not JSON', async () => {
    const { executionArn, token: taskToken } = await held();
    const invalid = new SendTaskSuccessCommand({ taskToken, output: '{' });
    await expect(client.send(invalid)).rejects.toMatchObject({ name: 'InvalidOutput' });
    await stop(executionArn);
  });

  it.each(['nonsense', Buffer.from('["a","b","c"]').toString('base64url')])(
    'are invalid if they were never issued: %s',
    async (taskToken) => {
      const unknown = new SendTaskHeartbeatCommand({ taskToken });
      await expect(client.send(unknown)).rejects.toMatchObject({ name: 'InvalidToken' });
    },
  );
});

describe('requests', () => {
  it.each([
    ['without a signature', { headers: { authorization: '' } }, 403, 'MissingAuthenticationTokenException'],
    [
      'with an authorization that is not a signature',
      { headers: { authorization: 'Bearer abc' } },
      403,
      'IncompleteSignatureException',
    ],
    ['signed for another region', { region: 'us-east-1' }, 403, 'InvalidSignatureException'],
    ['signed for another service', { service: 's3' }, 403, 'InvalidSignatureException'],
    [
      'signed with another secret',
      { credentials: { ...CREDENTIALS, secretAccessKey: 'guessed' } },
      403,
      'InvalidSignatureException',
    ],
    [
      'signed with an unknown access key',
      { credentials: { ...CREDENTIALS, accessKeyId: 'other' } },
      403,
      'UnrecognizedClientException',
    ],
    ['signed for another body', { body: '{"maxResults":1}' }, 403, 'InvalidSignatureException'],
    ['signed an hour ago', { date: basicDate(Date.now() - 3_600_000) }, 403, 'InvalidSignatureException'],
    [
      'signed for another operation',
      { headers: { 'x-amz-target': 'AWSStepFunctions.StopExecution' } },
      403,
      'InvalidSignatureException',
    ],
  ])('%s are refused', async (_, signing, status, type) => {
    const response = await call('ListStateMachines', {}, signing);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ __type: type });
  });

  it.each([
    ['with an unknown operation', 'toString', {}, 'UnknownOperationException'],
    ['without a JSON object as body', 'ListStateMachines', [], 'SerializationException'],
    ['without a required parameter', 'DescribeExecution', {}, 'ValidationException'],
    ['with a parameter of the wrong type', 'DescribeExecution', { executionArn: 5 }, 'ValidationException'],
  ])('are refused %s', async (_, operation, parameters, __type) => {
    const response = await call(operation, parameters);
    expect([response.status, await response.json()]).toMatchObject([400, { __type }]);
  });
});

describe('the server', () => {
  it('refuses to start if it cannot run one of the machines', async () => {
    const stateMachines = [{ name: 'old', arn: machineArn('old'), definition: { StartAt: 'A', States: {} } }];
    const options = { dir, port: 0, region: REGION, credentials: CREDENTIALS, stateMachines };
    const starting = startStepFunctions({ ...options, invoke: async () => ({ payload: null }) });
    await expect(starting).rejects.toThrow('the state machine old cannot be run');
  });

  it('listens only on the loopback interface', () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  });
});
