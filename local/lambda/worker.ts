/**
 * The process of a function: implements the part of Lambda's Node.js runtime that handlers can notice. `process.ts` starts it with
 * two arguments: the directory of the asset, and the handler. It runs one invocation at a time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FunctionError, Invocation, WorkerMessage } from './protocol.ts';

type Handler = (event: unknown, context: unknown) => unknown;

// The local cloud has ended, perhaps by kill -9. So this process group ends, too, including ffmpeg.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

const [directory = '', handlerName = ''] = process.argv.slice(2);
try {
  const handler = await loadHandler(directory, handlerName);
  process.on('message', (invocation: Invocation) => void answer(handler, invocation));
  send({ type: 'ready' });
} catch (error) {
  console.error(error);
  send({ type: 'init-failed', error: describe(error) });
}

async function answer(handler: Handler, invocation: Invocation): Promise<void> {
  const { requestId } = invocation;
  try {
    const result = await handler(JSON.parse(invocation.payload), contextOf(invocation));
    // Lambda answers `null` for results that JSON cannot represent, such as undefined.
    send({ type: 'result', requestId, payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    console.error(JSON.stringify({ level: 'ERROR', request_id: requestId, ...describe(error) }));
    send({ type: 'failed', requestId, error: describe(error) });
  }
}

/** Loads the handler as Lambda does: `index.handler` is the export `handler` of index.js, index.mjs or index.cjs. */
async function loadHandler(root: string, name: string): Promise<Handler> {
  const dot = name.lastIndexOf('.');
  const [module, exported] = [name.slice(0, dot), name.slice(dot + 1)];
  const file = ['.js', '.mjs', '.cjs'].map((suffix) => join(root, module + suffix)).find(existsSync);
  if (!file) throw runtimeError('Runtime.ImportModuleError', `Cannot find module '${module}' in ${root}`);
  const loaded = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const handler = loaded[exported];
  if (typeof handler !== 'function') {
    throw runtimeError('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
  }
  return handler as Handler;
}

/** Returns the context object of the Node.js runtime (Lambda developer guide). */
function contextOf(invocation: Invocation) {
  const group = `/aws/lambda/${invocation.functionName}`;
  return {
    awsRequestId: invocation.requestId,
    functionName: invocation.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: invocation.functionArn,
    memoryLimitInMB: String(invocation.memoryMegabytes),
    logGroupName: group,
    logStreamName: String(process.pid),
    callbackWaitsForEmptyEventLoop: true,
    ...(invocation.clientContext === undefined ? {} : { clientContext: invocation.clientContext }),
    getRemainingTimeInMillis: () => Math.max(0, invocation.deadlineMs - Date.now()),
  };
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  const trace = (error.stack ?? '').split('\n');
  return { errorType: error.name, errorMessage: error.message, trace };
}

function runtimeError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}
