/** Step Functions on this machine: runs JSONata state machines, continues them after restarts, and serves the API of the service. */
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
  /** The directory of all data. Only one server at a time may use it. */
  dir: string;
  port: number | HeldPort;
  region: string;
  /** The access key of the operator. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  stateMachines: (Named<unknown> & { roleArn?: string })[];
  /** Checks the permissions of roles for requests, and of machines for their actions. Without it, only the operator may send requests. */
  authorizer?: Authorizer;
  invoke: Invoke;
  onEnd?: (description: Description) => Promise<void>;
  now?: () => number;
}

export interface StepFunctionsServer {
  url: string;
  port: number;
  /** Stops the server. Unfinished executions continue when a server starts with the same directory. */
  close(): Promise<void>;
}

/** Checks all definitions, continues unfinished executions, and listens. Throws an Error with each fault of a definition. */
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

/** Checks that the role of a machine allows an action. A machine without a role may do nothing. */
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
