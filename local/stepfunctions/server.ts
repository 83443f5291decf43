/** Step Functions on this machine: JSONata state machines, durable over restarts, behind the API of the service. */

import type { Authorizer } from '../iam/authorizer.ts';
import { type HeldPort, type Listening, listen } from '../listen.ts';
import { createOwnServer } from '../own-host.ts';
import { createClock } from './clock.ts';
import { startEngine } from './engine.ts';
import { requestListener } from './http.ts';
import type { Description, Invoke, Services } from './run.ts';
import { type Named, soundMachines } from './sound.ts';
import { openStore } from './store.ts';

export type { Invoke } from './run.ts';

export interface StepFunctionsOptions {
  /** The directory of all state. Only one server at a time may use it. */
  dir: string;
  /** 0 takes any free port. */
  port: number | HeldPort;
  region: string;
  /** The operator's keys. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  stateMachines: (Named<unknown> & { roleArn?: string })[];
  /** Judges requests of roles, and what the machines do. Without it, only the operator may send requests. */
  authorizer?: Authorizer;
  invoke: Invoke;
  /** Called at the end of every execution. */
  onEnd?: (description: Description) => Promise<void>;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface StepFunctionsServer {
  url: string;
  port: number;
  /** Stops. Unfinished executions continue when a server starts with the same directory. */
  close(): Promise<void>;
}

/**
 * Checks every definition, resumes unfinished executions, and listens.
 * @throws Error naming each fault of a definition that cannot be run
 */
export async function startStepFunctions(options: StepFunctionsOptions): Promise<StepFunctionsServer> {
  const { dir, port, region, credentials, authorizer, invoke, onEnd, now } = options;
  const machines = await soundMachines(dir, options.stateMachines);
  const engine = await startEngine({
    store: await openStore(dir),
    machines,
    region,
    clock: createClock(now),
    invoke,
    ...(onEnd && { onEnd }),
    ...(authorizer && { permit: permitFor(authorizer, options.stateMachines) }),
  });
  const trust = { region, service: 'states', credentials };
  const server = createOwnServer({}, requestListener(engine, trust, authorizer));
  let listening: Listening;
  try {
    listening = await listen(server, port);
  } catch (error) {
    await engine.close();
    throw error;
  }

  const close = async (): Promise<void> => {
    await listening.close(0);
    await engine.close();
  };
  return { url: listening.url, port: listening.port, close };
}

/** The role of a machine has to allow its actions. A machine without a role may do nothing. */
function permitFor(
  authorizer: Authorizer,
  machines: StepFunctionsOptions['stateMachines'],
): NonNullable<Services['permit']> {
  const callers = new Map(
    machines.map(({ arn, name, roleArn = '' }) => [arn, { roleArn, sessionName: name }] as const),
  );
  const unknownCaller = { roleArn: '', sessionName: 'unknown' };
  return (machineArn, action, resource) =>
    authorizer.authorize(callers.get(machineArn) ?? unknownCaller, [{ action, resource, context: {} }]);
}
