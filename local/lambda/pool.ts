/** The execution environments of one function. They are started when needed, up to a limit, reused, and ended when idle. */
import { fairLine } from './line.ts';
import type { Environment, Outcome } from './process.ts';
import type { Invocation } from './protocol.ts';

export type PoolOptions = {
  start: () => Environment;
  /** The maximum number of invocations that run at once. Other invocations wait in line. */
  limit: number;
  /** Returns the groups of a waiting invocation, the outermost first. Called only if the invocation must wait. */
  turnOf: (payload: string) => readonly string[];
  /** The idle time after which an environment ends, ms. */
  idleMs: number;
};

export type Pool = {
  /**
   * Invokes the function. If the invocation is aborted, its environment ends, with all processes that it started.
   * @param onPlace called when the invocation no longer waits in line
   */
  invoke(
    invocation: Omit<Invocation, 'deadlineMs'>,
    signal?: AbortSignal,
    onPlace?: () => void,
  ): Promise<Outcome>;
  /** Ends every environment. Running invocations fail. */
  close(): Promise<void>;
};

/** The maximum age of an environment, ms. It must end before its credentials expire. */
export const MAX_AGE_MS = 12 * 3_600_000;

export function createPool({ start, limit, turnOf, idleMs }: PoolOptions): Pool {
  const idle: { environment: Environment; timer: NodeJS.Timeout }[] = [];
  const startedAt = new WeakMap<Environment, number>();
  const busy = new Set<Environment>();
  const waiting = fairLine<() => void>();
  let places = limit;
  let closed = false;

  function take(): Environment {
    for (let parked = idle.pop(); parked; parked = idle.pop()) {
      clearTimeout(parked.timer);
      if (!parked.environment.isAlive()) continue;
      if (Date.now() - (startedAt.get(parked.environment) ?? 0) < MAX_AGE_MS) return parked.environment;
      void parked.environment.end();
    }
    const environment = start();
    startedAt.set(environment, Date.now());
    return environment;
  }

  function park(environment: Environment): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((parked) => parked.environment === environment),
        1,
      );
      void environment.end();
    }, idleMs);
    timer.unref();
    idle.push({ environment, timer });
  }

  /** Resolves when the invocation may run: immediately, or when another invocation ends. */
  function enter(payload: string): Promise<void> {
    if (places === 0) return new Promise((resolve) => waiting.add(turnOf(payload), resolve));
    places -= 1;
    return Promise.resolve();
  }

  function leave(): void {
    const next = waiting.next();
    if (next) next();
    else places += 1;
  }

  async function run(invocation: Omit<Invocation, 'deadlineMs'>, signal?: AbortSignal): Promise<Outcome> {
    const environment = take();
    const end = () => void environment.end();
    busy.add(environment);
    signal?.addEventListener('abort', end);
    const outcome = await environment.invoke(invocation);
    signal?.removeEventListener('abort', end);
    busy.delete(environment);
    if (environment.isAlive() && !closed) park(environment);
    return outcome;
  }

  return {
    async invoke(invocation, signal, onPlace) {
      await enter(invocation.payload);
      onPlace?.();
      try {
        return closed || signal?.aborted ? stopped : await run(invocation, signal);
      } finally {
        leave();
      }
    },
    async close() {
      closed = true;
      for (const { timer } of idle) clearTimeout(timer);
      const all = [...idle.map(({ environment }) => environment), ...busy];
      idle.length = 0;
      await Promise.all(all.map((environment) => environment.end()));
    },
  };
}

const stopped: Outcome = {
  error: { errorType: 'Sandbox.Stopped', errorMessage: 'the invocation was called off before it began' },
};
