/** Runs the code of CloudFront functions in contexts that contain only the language and `require('crypto')`. */
import { createHash, createHmac } from 'node:crypto';
import { type Context, createContext, runInContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { SandboxCall, SandboxReply } from './sandbox.ts';

/** The time limit of a run, ms. CloudFront's own limit is about a millisecond: too short to measure on a busy machine. */
const LONGEST_RUN_MS = 500;

/** The number of contexts that stay loaded: the two functions of the current build, and the two of the previous build. */
const CONTEXTS = 4;

/** Calls the function. The event is parsed inside the context, so that the function gets only objects of this context. */
const caller = `(function (text, hasQuery, query) {
  var event = JSON.parse(text);
  event.request.rawQueryString = function () { return hasQuery ? query : undefined; };
  return JSON.stringify(handler(event));
})(input.text, input.hasQuery, input.query)`;

const contexts = new Map<string, Context>();

parentPort?.on('message', (call: SandboxCall) => parentPort?.postMessage(replyTo(call)));

function replyTo({ id, code, name, input }: SandboxCall): SandboxReply {
  let context: Context;
  try {
    context = contexts.get(code) ?? load(code, name);
  } catch (error) {
    // CloudFront would have refused this function when it was deployed. Here, the next build may replace it.
    return { id, fault: `does not load: ${String(error)}` };
  }
  Object.assign(context, { input });
  try {
    return { id, result: runInContext(caller, context, { timeout: LONGEST_RUN_MS }) as string };
  } catch (error) {
    return { id, fault: `failed: ${String(error)}` };
  }
}

function load(code: string, name: string): Context {
  const modules: Record<string, unknown> = { crypto: { createHash, createHmac } };
  const globals = { require: (module: string) => modules[module], console: { log: () => {} } };
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  runInContext(code, context, { filename: name, timeout: LONGEST_RUN_MS });
  const [oldest] = contexts.keys();
  if (contexts.size >= CONTEXTS && oldest !== undefined) contexts.delete(oldest);
  contexts.set(code, context);
  return context;
}
