/** Passes events to the code of CloudFront functions, which `sandbox-worker.ts` runs. */
import { Worker } from 'node:worker_threads';
import type { EventRequest, EventResponse } from './event.ts';

/** Thrown if a function throws, runs too long or does not exist. CloudFront then answers 503. */
export class FunctionFailed extends Error {
  override name = 'FunctionFailed';
}

export type EventType = 'viewer-request' | 'viewer-response';

export interface FunctionEvent {
  readonly type: EventType;
  readonly request: EventRequest;
  readonly response?: EventResponse;
  readonly rawQueryString: string | undefined;
}

export type EdgeFunction = (event: FunctionEvent) => Promise<EventRequest | EventResponse>;

export interface SandboxCall {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly input: { readonly text: string; readonly hasQuery: boolean; readonly query: string };
}

/** The result of the function as JSON, or the reason why it failed. */
export type SandboxReply = { readonly id: number } & (
  | { readonly result: string }
  | { readonly fault: string }
);

const waiting = new Map<number, (reply: SandboxReply) => void>();
let worker: Worker | undefined;
let calls = 0;

/** Functions run in a separate thread, so that an endless function does not block the rest of the local cloud. */
export function loadFunction(code: string, name: string): EdgeFunction {
  return async (event) => {
    calls += 1;
    const call: SandboxCall = { id: calls, code, name, input: inputOf(event) };
    const reply = await new Promise<SandboxReply>((resolve) => {
      waiting.set(call.id, resolve);
      worker ??= startWorker();
      worker.postMessage(call);
    });
    if ('fault' in reply) throw new FunctionFailed(`${name} ${reply.fault}`);
    return JSON.parse(reply.result) as EventRequest;
  };
}

function startWorker(): Worker {
  const started = new Worker(new URL('./sandbox-worker.ts', import.meta.url));
  started.on('message', (reply: SandboxReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  // A function that needs too much memory ends the thread. The next request starts another.
  started.on('error', (error) => {
    worker = undefined;
    for (const [id, answer] of waiting) answer({ id, fault: `failed: ${error.message}` });
    waiting.clear();
  });
  started.unref();
  return started;
}

const inputOf = ({ type, request, response, rawQueryString }: FunctionEvent) => ({
  text: JSON.stringify({
    version: '1.0',
    context: {
      distributionDomainName: 'd111111abcdef8.cloudfront.net',
      distributionId: 'EDFDVBD6EXAMPLE',
      eventType: type,
      requestId: 'local',
    },
    viewer: { ip: '127.0.0.1' },
    request,
    ...(response && { response }),
  }),
  hasQuery: rawQueryString !== undefined,
  query: rawQueryString ?? '',
});
