/** Sends HTTP requests to addresses that tenants name: only to allowed IP addresses, without following redirects. */
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { notAllowed, onlyTo } from '../../shared/pinned-lookup.ts';
import { bareHost } from '../../shared/public-addresses.ts';

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first 64 KiB of the answer's body. */
  readonly body: string;
}

export interface RequestLimits {
  readonly allows: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** When to give up all attempts together, in ms of `performance.now()`. */
  readonly deadline: number;
}

/** The server did not answer. `code` is Node's error code, such as ENOTFOUND. */
export class NoAnswer extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

const ATTEMPTS = 4;
/** The first wait between attempts, ms. The wait doubles with each attempt. */
const WAIT_MS = 300;
/** Time limit of one attempt, ms. A part has 16 MiB or more. A request that timed out is not retried. */
const TIMEOUT_MS = 300_000;
const ANSWER_BYTES = 65_536;

/** Retries after errors that may be temporary. All our requests may safely arrive twice. Throws NoAnswer. */
export async function sendRequest(request: Request, limits: RequestLimits): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const wait = WAIT_MS * 2 ** attempt;
    const isLast = () => attempt >= ATTEMPTS || performance.now() + wait >= limits.deadline;
    try {
      const answer = await sendOnce(request, limits);
      if (!isRetryable(answer.status) || isLast()) return answer;
    } catch (error) {
      const isFinal = limits.signal.aborted || isLast() || !(error instanceof NoAnswer);
      if (isFinal || finalCodes.includes(error.code)) throw error;
    }
    await delay(wait, undefined, { signal: limits.signal });
  }
}

/** Errors that are not retried. */
const finalCodes: readonly (string | null)[] = [null, 'ENOTFOUND', 'ETIMEDOUT'];

/** Whether the same request may succeed later. */
export const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function sendOnce(
  { method, url, headers, body }: Request,
  { allows, signal, deadline }: RequestLimits,
): Promise<Answer> {
  const target = new URL(url);
  const host = bareHost(target);
  // Node does not look up a host that is an address, so `onlyTo` would not see it.
  if (isIP(host) !== 0 && !allows(host)) return Promise.reject(new NoAnswer(notAllowed(host)));
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const timeoutMs = Math.max(1, Math.min(TIMEOUT_MS, Math.ceil(deadline - performance.now())));
  const tooLong = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (tooLong.aborted) reject(new NoAnswer(`no answer in ${timeoutMs} ms`, 'ETIMEDOUT'));
      else reject(new NoAnswer(error.message || String(error.code), error.code));
    };
    const sent = send(target, {
      method,
      headers: { ...headers, 'Content-Length': String(body?.byteLength ?? 0) },
      agent: false,
      lookup: onlyTo(allows),
      signal: AbortSignal.any([signal, tooLong]),
    });
    sent.on('error', fail);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const done = () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size < ANSWER_BYTES) return;
        done();
        response.destroy();
      });
      response.on('end', done);
      response.on('error', fail);
    });
    sent.end(body);
  });
}
