/** The execution environments of one function. They are started when needed, up to a limit, reused, and ended when idle. */
import { fairLine } from './line.ts';
import type { Environment, Outcome } from './process.ts';
import type { Invocation } from './protocol.ts';

export type PoolOptions = {
  start: () => Environment;
  /** The maximum number of invocations that run at once. Other invocations wait in line. */
  limit: number;
  /**
   * Whether one more invocation may run if no other invocation of its tenant (its outermost group) runs. So a tenant whose storage does
   * not answer cannot block other tenants.
   */
  hasSpare: boolean;
  /** Returns the groups of an invocation, the outermost first. Called only if the invocations must share the places. */
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

/** An invocation that runs or waits. */
interface Place {
  readonly turn: readonly string[];
  readonly group: string | undefined;
}

export function createPool({ start, limit, hasSpare, turnOf, idleMs }: PoolOptions): Pool {
  const idle: { environment: Environment; timer: NodeJS.Timeout }[] = [];
  const startedAt = new WeakMap<Environment, number>();
  const busy = new Set<Environment>();
  const running = new Set<Place>();
  const waiting = fairLine<{ place: Place; enter: () => void }>();
  let closed = false;

  /** The payload is parsed only if the groups matter. */
  function placeOf(payload: string): Place {
    let turn: readonly string[] | undefined;
    return {
      get turn() {
        turn ??= turnOf(payload);
        return turn;
      },
      get group() {
        return this.turn[0];
      },
    };
  }

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

  /** Whether no invocation of this outermost group runs. */
  const isNew = (group: string | undefined) => ![...running].some((place) => place.group === group);

  const mayUseSpare = () => hasSpare && running.size === limit;

  /** Resolves when the invocation may run: immediately, or when another invocation ends. */
  function enter(place: Place): Promise<void> {
    if (running.size < limit || (mayUseSpare() && isNew(place.group))) {
      running.add(place);
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.add(place.turn, { place, enter: resolve }));
  }

  function leave(place: Place): void {
    running.delete(place);
    const next =
      running.size < limit ? waiting.next() : mayUseSpare() && waiting.next((group) => !isNew(group));
    if (!next) return;
    running.add(next.place);
    next.enter();
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
      const place = placeOf(invocation.payload);
      await enter(place);
      onPlace?.();
      try {
        return closed || signal?.aborted ? stopped : await run(invocation, signal);
      } finally {
        leave(place);
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
