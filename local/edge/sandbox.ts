/** Runs the code of a CloudFront function in a context that contains only the language and `require('crypto')`. */
import { createHash, createHmac } from 'node:crypto';
import { type Context, createContext, runInContext } from 'node:vm';
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

export type EdgeFunction = (event: FunctionEvent) => EventRequest | EventResponse;

/** The time limit of a run, ms. It ends endless loops. CloudFront's own limit is about 1 ms, which a busy machine cannot measure. */
const LONGEST_RUN_MS = 5_000;

/** Calls the function. The event is parsed inside the context, so that the function gets only objects of this context. */
const caller = `(function (text, hasQuery, query) {
  var event = JSON.parse(text);
  event.request.rawQueryString = function () { return hasQuery ? query : undefined; };
  return JSON.stringify(handler(event));
})`;

export function loadFunction(code: string, name: string): EdgeFunction {
  const context = bareContext();
  try {
    runInContext(code, context, { filename: name });
  } catch (error) {
    // CloudFront would have refused this function when it was deployed. Here, the next build may replace it.
    return () => {
      throw new FunctionFailed(`${name} does not load: ${String(error)}`);
    };
  }
  return (event) => {
    Object.assign(context, { input: inputOf(event) });
    const call = `${caller}(input.text, input.hasQuery, input.query)`;
    try {
      return JSON.parse(runInContext(call, context, { timeout: LONGEST_RUN_MS }) as string) as EventRequest;
    } catch (error) {
      throw new FunctionFailed(`${name} failed: ${String(error)}`);
    }
  };
}

function bareContext(): Context {
  const modules: Record<string, unknown> = { crypto: { createHash, createHmac } };
  return createContext(
    {
      require: (name: string) => modules[name],
      console: { log: () => {} },
    },
    { codeGeneration: { strings: false, wasm: false } },
  );
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
