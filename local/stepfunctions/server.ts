/** Step Functions on this machine: JSONata state machines, durable over restarts, behind the API of the service. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock } from './clock.ts';
import { startEngine } from './engine.ts';
import { requestListener } from './http.ts';
import type { Invoke } from './run.ts';
import { type Named, soundMachines } from './sound.ts';
import { openStore } from './store.ts';

export type { Invoke } from './run.ts';

export interface StepFunctionsOptions {
  /** Holds all state; one server at a time. */
  dir: string;
  /** 0 takes a free one. */
  port: number;
  host?: string;
  region: string;
  stateMachines: Named<unknown>[];
  invoke: Invoke;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface StepFunctionsServer {
  url: string;
  port: number;
  /** Stops; unfinished executions go on when a server starts on the same directory. */
  close(): Promise<void>;
}

/**
 * Checks every definition, resumes what is unfinished, and listens.
 * @throws Error naming each fault of a definition that cannot be run
 */
export async function startStepFunctions(options: StepFunctionsOptions): Promise<StepFunctionsServer> {
  const { dir, port, host = '127.0.0.1', region, invoke, now } = options;
  const machines = await soundMachines(dir, options.stateMachines);
  const engine = await startEngine({
    store: await openStore(dir),
    machines,
    region,
    clock: createClock(now),
    invoke,
  });
  const server = createServer(requestListener(engine, region));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { port: taken } = server.address() as AddressInfo;

  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await engine.close();
  };
  return { url: `http://${host}:${taken}`, port: taken, close };
}
