/** A server that receives webhooks. It stores the requests, and answers as a test decides. */
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from './listening.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answering {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The delay of the response in ms. */
  readonly after?: number;
}

/** @param answers one per request, in order; the last is repeated */
export async function startReceiver(...answers: readonly Answering[]) {
  const received: Received[] = [];
  let next = answers;
  const { url, close } = await listening(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body: await text(request) });
    const { status, headers: sent = {}, after = 0 } = next[0] ?? { status: 204 };
    if (next.length > 1) next = next.slice(1);
    await sleep(after);
    response.writeHead(status, sent).end();
  });
  return {
    received,
    url: `${url}/hook`,
    close,
    answer(...given: readonly Answering[]) {
      next = given;
    },
    /** Waits for this many requests, for at most half a minute. */
    async until(count: number): Promise<void> {
      const end = Date.now() + 30_000;
      while (received.length < count) {
        if (Date.now() > end) throw new Error(`Only ${received.length} of ${count} requests arrived`);
        await sleep(20);
      }
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The headers that a library for Standard Webhooks needs. */
export const signatureOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );
