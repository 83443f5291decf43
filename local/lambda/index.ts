/** Lambda, with the features that API Gateway and Step Functions use: functions of the template are invoked by name or ARN. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessRecords } from '../processes.ts';
import type { FunctionView } from '../template/compute.ts';
import { functionNameIn } from '../template/names.ts';
import { uuidOf } from '../uuid.ts';
import { functionLogs } from './logs.ts';
import { createPool, type Pool } from './pool.ts';
import { type Outcome, startEnvironment } from './process.ts';
import { functionVariables } from './variables.ts';

export type { Outcome } from './process.ts';
export type { FunctionError } from './protocol.ts';

export type LambdaOptions = {
  functions: FunctionView[];
  region: string;
  /** Variables that are added to the environment of a function: local endpoints, credentials, engines. They override those of the template. */
  variables: (fn: FunctionView) => Record<string, string>;
  /** The maximum number of invocations of the function that run at once. */
  concurrency: (fn: FunctionView) => number;
  /** Whether the processes of the function have a lower priority. Default: false. */
  isBackground?: (fn: FunctionView) => boolean;
  /** Returns the groups of a waiting invocation, the outermost first. Groups take turns. If absent, all invocations wait in one line. */
  turnOf?: (payload: string) => readonly string[];
  records: ProcessRecords;
  logDirectory: string;
  /** The folder that contains a TMPDIR for each execution environment. A TMPDIR is deleted with its environment. */
  temporaryDirectory: string;
  /** The folder in which Node stores compiled code for later starts. */
  compileCache?: string;
  onOutput?: (functionName: string, chunk: Buffer) => void;
  /** The idle time after which an environment ends, ms. */
  idleMs?: number;
};

/**
 * The default of `idleMs`. An idle environment needs about 45 MB, and there may be a hundred. A new start takes a third of a
 * second. This time is longer than the pauses between a person's requests, and between the steps of a job.
 */
const IDLE_MS = 20_000;

export type InvokeOptions = {
  requestId?: string;
  clientContext?: unknown;
  signal?: AbortSignal;
  /** Called when the invocation begins to run and no longer waits in line. */
  onPlace?: () => void;
};

export type Lambda = {
  /** Both payloads are JSON text. A failure of the function is returned as an outcome. Throws only `UnknownFunction`. */
  invoke(nameOrArn: string, payload: string, options?: InvokeOptions): Promise<Outcome>;
  close(): Promise<void>;
};

export class UnknownFunction extends Error {
  override name = 'ResourceNotFoundException';
}

/** The quota "Invocation payload, synchronous" of Lambda: 6 MB for the request, and 6 MB for the response. */
const REQUEST_LIMIT_BYTES = 6 * 1024 * 1024;
const RESPONSE_LIMIT_BYTES = 6_291_556;

export function createLambda(options: LambdaOptions): Lambda {
  const logs = functionLogs(options.logDirectory);
  const pools = new Map<string, Pool>();
  rmSync(options.temporaryDirectory, { recursive: true, force: true });
  mkdirSync(options.temporaryDirectory, { recursive: true });

  function poolOf(fn: FunctionView): Pool {
    const known = pools.get(fn.name);
    if (known) return known;
    const limit = Math.max(1, Math.min(options.concurrency(fn), fn.reservedConcurrency ?? Infinity));
    const { turnOf = () => [], idleMs = IDLE_MS } = options;
    const hasSpare = fn.reservedConcurrency === undefined;
    const pool = createPool({ start: () => environmentOf(fn), limit, hasSpare, turnOf, idleMs });
    pools.set(fn.name, pool);
    return pool;
  }

  function environmentOf(fn: FunctionView) {
    const temporaryDirectory = mkdtempSync(join(options.temporaryDirectory, `${fn.name}-`));
    const { region, compileCache } = options;
    const place = { region, temporaryDirectory, ...(compileCache ? { compileCache } : {}) };
    return startEnvironment({
      fn,
      variables: functionVariables(fn, options.variables(fn), place),
      isBackground: options.isBackground?.(fn) ?? false,
      records: options.records,
      onOutput: (chunk) => {
        logs.write(fn.name, chunk);
        options.onOutput?.(fn.name, chunk);
      },
      onGone: () => rmSync(temporaryDirectory, { recursive: true, force: true }),
    });
  }

  return {
    async invoke(nameOrArn, payload, { requestId = randomUUID(), clientContext, signal, onPlace } = {}) {
      const name = functionNameIn(nameOrArn) ?? nameOrArn;
      const fn = options.functions.find((each) => each.name === name || each.logicalId === name);
      if (!fn) throw new UnknownFunction(`Function not found: ${nameOrArn}`);
      if (Buffer.byteLength(payload) > REQUEST_LIMIT_BYTES) return requestTooLarge(payload);
      const invocation = {
        requestId,
        payload,
        functionName: fn.name,
        functionArn: fn.arn,
        memoryMegabytes: fn.memoryMegabytes,
        ...(clientContext === undefined ? {} : { clientContext }),
      };
      const outcome = await poolOf(fn).invoke(invocation, signal, onPlace);
      const isTooLarge = 'payload' in outcome && Buffer.byteLength(outcome.payload) > RESPONSE_LIMIT_BYTES;
      return isTooLarge ? responseTooLarge : outcome;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await logs.close();
    },
  };
}

/** Returns a request id that is always the same for a key. So logs show that a step was repeated. */
export function requestIdFrom(idempotencyKey: string): string {
  return uuidOf(idempotencyKey);
}

function requestTooLarge(payload: string): Outcome {
  const errorMessage = `${Buffer.byteLength(payload)} byte payload is too large for the Invoke operation (limit ${REQUEST_LIMIT_BYTES} bytes)`;
  return { error: { errorType: 'RequestEntityTooLargeException', errorMessage } };
}

const responseTooLarge: Outcome = {
  error: {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${RESPONSE_LIMIT_BYTES} bytes).`,
  },
};
