/** Runs one machine to its end, with fake functions and a clock that skips the waiting. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../stepfunctions/clock.ts';
import { checkedDefinition } from '../../stepfunctions/definition.ts';
import { type Engine, startEngine } from '../../stepfunctions/engine.ts';
import { Cancelled } from '../../stepfunctions/errors.ts';
import type { HistoryEvent } from '../../stepfunctions/history.ts';
import type { BeginsWith, Invoke } from '../../stepfunctions/run.ts';
import { openStore } from '../../stepfunctions/store.ts';

export const REGION = 'eu-west-1';
const ACCOUNT = '123456789012';
export const LAMBDA_INVOKE = 'arn:aws:states:::lambda:invoke';

export function functionArn(name: string): string {
  return `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
}

export function machineArn(name: string): string {
  return `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`;
}

export function branch(states: Record<string, unknown>) {
  return { StartAt: Object.keys(states)[0], States: states };
}

export function machine(states: Record<string, unknown>, fields: Record<string, unknown> = {}) {
  return { QueryLanguage: 'JSONata', ...branch(states), ...fields };
}

/** A function by its bare name: gets the payload and how often it has been called before. */
// biome-ignore lint/suspicious/noExplicitAny: each fake names the payload that its machine sends.
export type FakeFunction = (payload: any, call: FakeCall) => unknown;

export interface FakeCall {
  count: number;
  signal: AbortSignal;
  beginsWith: BeginsWith;
  engine: Engine;
  clock: Clock;
}

export class FunctionError extends Error {
  constructor(name: string, message = 'failed') {
    super(message);
    this.name = name;
  }
}

export interface Invocation {
  name: string;
  payload: unknown;
  signal: AbortSignal;
  /** When it happened, by the clock of the run. */
  at: number;
}

export interface Setup {
  definition: unknown;
  /** Other machines, by name. */
  others?: Record<string, unknown>;
  input?: unknown;
  functions?: Record<string, FakeFunction>;
  random?: () => number;
  name?: string;
}

export interface Outcome {
  status: string;
  output?: unknown;
  error?: string;
  cause?: string;
  history: HistoryEvent[];
  invocations: Invocation[];
  /** Milliseconds that the run's clock went on. */
  took: number;
}

/** The outcome of a machine. Time passes only when nothing else is left to do. */
export async function run({
  definition,
  others = {},
  input = {},
  functions = {},
  ...rest
}: Setup): Promise<Outcome> {
  const dir = await mkdtemp(join(tmpdir(), 'stepfunctions-'));
  const clock = skippingClock();
  const began = clock.now();
  const invocations: Invocation[] = [];
  const faults: Error[] = [];
  const store = await openStore(dir);
  const machines = Object.entries({ machine: definition, ...others }).map(([name, each]) => ({
    name,
    arn: machineArn(name),
    definition: checkedDefinition(name, each),
  }));
  const engine: Engine = await startEngine({
    store,
    machines,
    region: REGION,
    clock,
    invoke: fakeInvoke({ functions, invocations, faults, clock, engine: () => engine }),
    ...(rest.random && { random: rest.random }),
  });
  try {
    const request = {
      machineArn: machineArn('machine'),
      name: rest.name ?? 'run',
      input: JSON.stringify(input),
    };
    const { arn } = await engine.start(request);
    const { status, output, error, cause } = await engine.ended(arn);
    if (faults[0]) throw faults[0];
    return {
      status,
      history: await engine.history(arn),
      invocations,
      took: clock.now() - began,
      ...(output !== undefined && { output: JSON.parse(output) }),
      ...(error !== undefined && { error }),
      ...(cause !== undefined && { cause }),
    };
  } finally {
    await engine.close();
    await rm(dir, { recursive: true });
  }
}

interface Fakes {
  readonly functions: Record<string, FakeFunction>;
  readonly invocations: Invocation[];
  /** Receives the error of a missing function, because the machine may catch it. */
  readonly faults: Error[];
  readonly clock: Clock;
  readonly engine: () => Engine;
}

/** Functions that answer with what they return; a FunctionError is the function's error, any other the service's. */
function fakeInvoke({ functions, invocations, faults, clock, engine }: Fakes): Invoke {
  const counts = new Map<string, number>();
  return async (arn, payload, { signal, beginsWith = () => {} }) => {
    const name = arn.slice(arn.lastIndexOf(':') + 1);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    invocations.push({ name, payload, signal, at: clock.now() });
    const body = functions[name];
    if (!body) {
      faults.push(new Error(`The test has no function for the step ${name}`));
      throw faults.at(-1);
    }
    try {
      const call = { count, signal, beginsWith, engine: engine(), clock };
      return { payload: await body(payload, call) };
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      return { functionError: { errorType: error.name, errorMessage: error.message, trace: [] } };
    }
  };
}

/** A task that gives its token to a function, and waits for the answer. */
export const callbackTask = (name: string, fields: object = { End: true }) => ({
  Type: 'Task',
  Resource: `${LAMBDA_INVOKE}.waitForTaskToken`,
  Arguments: { FunctionName: functionArn(name), Payload: '{% $states.context.Task.Token %}' },
  ...fields,
});

/** How long nothing must have happened before the clock skips to the next alarm. */
const IDLE_MS = 15;

/** A clock that stops while work is done, and skips to the earliest alarm when no work is left. */
export function skippingClock(start = Date.UTC(2026, 0, 1)): Clock {
  let time = start;
  let timer: NodeJS.Timeout | undefined;
  const alarms = new Set<{ at: number; ring(): void }>();

  const rearm = (): void => {
    clearTimeout(timer);
    if (alarms.size > 0) timer = setTimeout(skip, IDLE_MS);
  };
  const skip = (): void => {
    // A busy disk takes longer than any idle time: what waits for the journal has not happened yet.
    if (isWriting()) {
      rearm();
      return;
    }
    const [next] = [...alarms].sort((a, b) => a.at - b.at);
    if (!next) return;
    time = Math.max(time, next.at);
    next.ring();
    rearm();
  };

  return {
    now() {
      rearm();
      return time;
    },
    until: (at, signal) =>
      new Promise((resolve, reject) => {
        const alarm = {
          at,
          ring() {
            alarms.delete(alarm);
            signal.removeEventListener('abort', cancel);
            resolve();
          },
        };
        const cancel = (): void => {
          alarms.delete(alarm);
          reject(new Cancelled());
        };
        if (signal.aborted) return reject(new Cancelled());
        signal.addEventListener('abort', cancel, { once: true });
        alarms.add(alarm);
        if (at <= time) setImmediate(() => alarms.has(alarm) && alarm.ring());
        rearm();
      }),
  };
}

const isWriting = () => process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
