/** The operations of the Step Functions API. API reference, "Actions". */
import { randomUUID } from 'node:crypto';
import { roleArn } from './arns.ts';
import type { Engine, Machine } from './engine.ts';
import { type Failure, MAX_PAYLOAD_BYTES, ServiceError } from './errors.ts';
import type { Json } from './language.ts';
import type { Description } from './run.ts';
import { refuseInvalidJson } from './start-request.ts';
import type { Summary } from './store.ts';

export type Parameters = Record<string, unknown>;
export type Operation = (engine: Engine, parameters: Parameters) => Promise<object>;

/** The creation time of all machines in answers. It is the start time of the server. */
const CREATED_AT = Date.now();

export const OPERATIONS: Record<string, Operation> = {
  async StartExecution(engine, parameters) {
    const machineArn = required(parameters, 'stateMachineArn');
    const name = text(parameters, 'name') ?? randomUUID();
    const input = text(parameters, 'input') ?? '{}';
    const { arn, startedAt } = await engine.start({ machineArn, name, input });
    return { executionArn: arn, startDate: seconds(startedAt) };
  },

  async DescribeExecution(engine, parameters) {
    return executionDescription(await engine.describe(required(parameters, 'executionArn')));
  },

  async StopExecution(engine, parameters) {
    const { stoppedAt } = await engine.stop(required(parameters, 'executionArn'), failureOf(parameters));
    return { stopDate: seconds(stoppedAt) };
  },

  async ListExecutions(engine, parameters) {
    const machine = machineOf(engine, parameters);
    const status = text(parameters, 'statusFilter');
    const all = engine
      .list(machine.arn)
      .filter((execution) => status === undefined || execution.status === status);
    const { page, nextToken } = pageOf(all, parameters);
    return { executions: page.map(executionItem), ...nextToken };
  },

  async GetExecutionHistory(engine, parameters) {
    const events = await engine.history(required(parameters, 'executionArn'));
    const ordered = parameters.reverseOrder === true ? events.toReversed() : events;
    const { page, nextToken } = pageOf(ordered, parameters);
    return { events: page, ...nextToken };
  },

  async ListStateMachines(engine, parameters) {
    const { page, nextToken } = pageOf(engine.machines, parameters);
    return { stateMachines: page.map(machineItem), ...nextToken };
  },

  async DescribeStateMachine(engine, parameters) {
    const machine = machineOf(engine, parameters);
    return {
      ...machineItem(machine),
      status: 'ACTIVE',
      definition: JSON.stringify(machine.definition),
      roleArn: roleArn(machine.arn),
      loggingConfiguration: { level: 'OFF', includeExecutionData: false },
      tracingConfiguration: { enabled: false },
    };
  },

  async SendTaskSuccess(engine, parameters) {
    const output = required(parameters, 'output');
    refuseInvalidJson(output, 'InvalidOutput', 'Invalid Output');
    if (Buffer.byteLength(output) > MAX_PAYLOAD_BYTES)
      throw new ServiceError('InvalidOutput', 'Invalid Output: too large');
    await engine.succeedTask(required(parameters, 'taskToken'), JSON.parse(output) as Json);
    return {};
  },

  async SendTaskFailure(engine, parameters) {
    await engine.failTask(required(parameters, 'taskToken'), failureOf(parameters));
    return {};
  },

  async SendTaskHeartbeat(engine, parameters) {
    await engine.heartbeat(required(parameters, 'taskToken'));
    return {};
  },
};

function seconds(milliseconds: number): number {
  return milliseconds / 1000;
}

function executionItem({ arn, name, machineArn, status, startedAt, stoppedAt }: Summary) {
  return {
    executionArn: arn,
    stateMachineArn: machineArn,
    name,
    status,
    startDate: seconds(startedAt),
    ...(stoppedAt !== undefined && { stopDate: seconds(stoppedAt) }),
  };
}

function executionDescription(description: Description) {
  const { input, output, error, cause } = description;
  return {
    ...executionItem(description),
    input,
    inputDetails: { included: true },
    ...(output !== undefined && { output, outputDetails: { included: true } }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
    redriveCount: 0,
    redriveStatus: 'NOT_REDRIVABLE',
  };
}

function machineItem({ arn, name }: Machine) {
  return { stateMachineArn: arn, name, type: 'STANDARD', creationDate: seconds(CREATED_AT) };
}

function machineOf(engine: Engine, parameters: Parameters): Machine {
  const wanted = required(parameters, 'stateMachineArn');
  const machine = engine.machines.find(({ arn }) => arn === wanted);
  if (!machine)
    throw new ServiceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${wanted}'`);
  return machine;
}

function failureOf(parameters: Parameters): Failure {
  const error = text(parameters, 'error');
  const cause = text(parameters, 'cause');
  return { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
}

function text(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new ServiceError('ValidationException', `Value at '${name}' must be a string`);
}

function required(parameters: Parameters, name: string): string {
  const value = text(parameters, name);
  if (value) return value;
  throw new ServiceError(
    'ValidationException',
    `Value at '${name}' failed to satisfy constraint: Member must not be null`,
  );
}

/** Returns one page of a list. If maxResults is 0 or absent, a page has 100 results. The maximum is 1000 (API reference). */
function pageOf<T>(all: T[], parameters: Parameters): { page: T[]; nextToken: { nextToken?: string } } {
  const offset = offsetOf(text(parameters, 'nextToken'));
  const size = Math.min(Number(parameters.maxResults ?? 0) || 100, 1000);
  const end = offset + size;
  const nextToken = end < all.length ? { nextToken: Buffer.from(`from ${end}`).toString('base64url') } : {};
  return { page: all.slice(offset, end), nextToken };
}

function offsetOf(token: string | undefined): number {
  if (token === undefined) return 0;
  const offset = /^from (\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (offset === undefined) throw new ServiceError('InvalidToken', `Invalid Token: '${token}'`);
  return Number(offset);
}
