/** Runs the bytes of a CloudFront function in a bare context: the language, `require('crypto')`, and nothing else. */
import { createHash, createHmac } from 'node:crypto';
import { type Context, createContext, runInContext } from 'node:vm';
import type { EventRequest, EventResponse } from './event.ts';

/** The function threw, ran too long or is no function: CloudFront answers 503. */
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

/** Milliseconds; it ends loops. CloudFront's own limit is a thousandth of it, which a busy machine cannot judge. */
const LONGEST_RUN_MS = 5_000;

/** The event is made and read inside, so that the function sees objects of its own world only. */
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
    // CloudFront would not have taken it; here a build may replace it any time.
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
