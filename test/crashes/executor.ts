/**
 * Runs all state machines of the product in the real executor, with the real steps in this process. A test can kill it.
 */
import { rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { kebabCase } from '../../lib/shared/names.ts';
import { listen } from '../../local/listen.ts';
import { type Engine, startEngine } from '../../local/stepfunctions/engine.ts';
import { requestListener } from '../../local/stepfunctions/http.ts';
import { openStore } from '../../local/stepfunctions/store.ts';
import { sourceOf } from '../../toolchain/bundle/entries.ts';
import { asFunction } from '../support/function-permissions.ts';
import { type SkippingClock, skippingClock } from './clock.ts';
import { type Ended, lived, type Meeting } from './lives.ts';

const region = 'us-east-1';
const arnOf = (kind: string, name: string) => `arn:aws:${kind}:${name}`;
const machineArn = (name: string) => arnOf(`states:${region}:000000000000:stateMachine`, name);
const functionArn = (name: string) => arnOf(`lambda:${region}:000000000000:function`, name);

export type Reply =
  | { readonly payload: unknown }
  | { readonly functionError: { readonly errorType: string; readonly errorMessage: string } };

/** A step that a state machine invokes. */
export interface Invocation {
  readonly step: string;
  /** How often this run invoked the step before, from 0. */
  readonly nth: number;
  readonly execution: string;
  /** Runs the function. Returns its result and the number of writes that it started. May be called several times. */
  run(at?: number, meeting?: Meeting): Promise<{ reply: Reply; writes: number }>;
}

/** Runs between the state machines and their functions. */
export type Between = (invocation: Invocation) => Promise<Reply>;

export interface Executor {
  readonly clock: SkippingClock;
  /** Kills the executor, as if its process died. A new executor continues its executions. */
  kill(): Promise<void>;
  stop(execution: string): Promise<void>;
  /** Whether any function works. The clock does not skip meanwhile. */
  while<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Resolves when no execution and no function runs.
   * @param eachMinute called once per minute of the test's clock
   */
  quiet(eachMinute?: () => Promise<void>): Promise<void>;
  executions(): { machine: string; name: string; status: string }[];
  during(between: Between): void;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;

type Handler = (input: unknown, context: object) => Promise<unknown>;

/** The error name that Lambda reports when the process exits. */
export const exited: Reply = {
  functionError: { errorType: 'Runtime.ExitError', errorMessage: 'RequestId: 1 Error: Runtime exited' },
};

export async function startExecutor(dir: string): Promise<Executor> {
  let working = 0;
  const clock = skippingClock(() => working > 0);
  const machines = readDefinitions().map(({ name, body }) => ({
    name,
    arn: machineArn(name),
    definition: JSON.parse(body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step))),
  }));
  let between: Between = async (invocation) => (await invocation.run()).reply;
  let counts = new Map<string, number>();
  let beganAt = clock.now();

  const atWork = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    working += 1;
    try {
      return await work();
    } finally {
      working -= 1;
    }
  };

  const functionOf = async (step: string) =>
    (await import(sourceOf('steps', kebabCase(step)))).handler as Handler;

  const invoke = async (arn: string, payload: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
    const step = arn.slice(arn.lastIndexOf(':') + 1);
    const nth = counts.get(step) ?? 0;
    counts.set(step, nth + 1);
    const run: Invocation['run'] = (at, meeting) =>
      atWork(async () => {
        const handler = await functionOf(step);
        const given = structuredClone(payload);
        const { ended, writes } = await lived(
          () => asFunction(step, () => replyOf(handler, given)),
          at,
          meeting,
        );
        return { reply: resultOf(ended), writes };
      });
    return atWork(() => between({ step, nth, execution: idempotencyKey.split('#')[0]!, run }));
  };

  // The account and region are those of test/support/environment.ts.
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const trust = { region, service: 'states', credentials };
  const open = async (): Promise<Engine> =>
    startEngine({ store: await openStore(dir), machines, region, clock, invoke, random: () => 0 });
  let engine = open();
  let listener: Promise<RequestListener> = engine.then((one) => requestListener(one, trust));
  const server = createServer(async (request, response) => (await listener)(request, response));
  const { url, close } = await listen(server, 0);
  process.env.AWS_ENDPOINT_URL_SFN = url;
  for (const { name, arn } of machines)
    process.env[`${kebabCase(name).replaceAll('-', '_').toUpperCase()}_MACHINE_ARN`] = arn;

  const executions: Executor['executions'] = () =>
    machines.flatMap(({ name: machine, arn }) =>
      current
        .list(arn)
        .filter(({ startedAt }) => startedAt >= beganAt)
        .map(({ name, status }) => ({ machine, name, status })),
    );
  let current = await engine;

  return {
    clock,
    async kill() {
      const before = current;
      engine = before.close().then(open);
      listener = engine.then((one) => requestListener(one, trust));
      current = await engine;
    },
    async stop(execution) {
      await (await engine).stop(execution, { error: 'Killed', cause: 'Somebody stopped it.' });
    },
    executions,
    while: atWork,
    async quiet(eachMinute = async () => {}) {
      let last = clock.now();
      const isQuiet = () => working === 0 && executions().every(({ status }) => status !== 'RUNNING');
      for (let calm = 0; calm < 2; ) {
        await new Promise((resolve) => setTimeout(resolve, 4));
        await engine;
        calm = isQuiet() ? calm + 1 : 0;
        if (clock.now() - last < MINUTE_MS) continue;
        last = clock.now();
        await atWork(eachMinute);
      }
    },
    during(given) {
      between = given;
      counts = new Map();
      beganAt = clock.now();
    },
    async close() {
      await close(0);
      await current.close();
      await rm(join(dir), { recursive: true, force: true });
    },
  };
}

async function replyOf(handler: Handler, payload: unknown): Promise<Reply> {
  try {
    return { payload: JSON.parse(JSON.stringify((await handler(payload, {})) ?? null)) };
  } catch (error) {
    const { name, message } = error as Error;
    return { functionError: { errorType: name, errorMessage: message } };
  }
}

const resultOf = (ended: Ended<Reply>): Reply => ('died' in ended ? exited : ended.result);
