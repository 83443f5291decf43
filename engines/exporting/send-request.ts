/** HTTP requests to storages that tenants name: to allowed addresses alone, and following nothing. */
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
  /** As much of it as is worth reading. */
  readonly body: string;
}

export interface Asking {
  readonly allows: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** When to give up, all attempts together, in ms of `performance.now()`: what asks has no time after it. */
  readonly deadline: number;
}

/** Thrown where there was no answer; `code` is that of Node, such as ENOTFOUND. */
export class NoAnswer extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

const ATTEMPTS = 4;
/** Before the second attempt, ms; doubled with each. */
const WAIT_MS = 300;
/** How long one answer may take, ms: a part has 16 MiB or more. What took so long is not asked for again. */
const TIMEOUT_MS = 300_000;
const ANSWER_BYTES = 65_536;

/** Asks again where the other side has a bad moment. Every request of ours may arrive twice. Throws NoAnswer. */
export async function answerTo(request: Request, asking: Asking): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const wait = WAIT_MS * 2 ** attempt;
    const isLast = () => attempt >= ATTEMPTS || performance.now() + wait >= asking.deadline;
    try {
      const answer = await answerOnce(request, asking);
      if (!passes(answer.status) || isLast()) return answer;
    } catch (error) {
      const isFinal = asking.signal.aborted || isLast() || !(error instanceof NoAnswer);
      if (isFinal || hopeless.includes(error.code)) throw error;
    }
    await delay(wait, undefined, { signal: asking.signal });
  }
}

/** Another attempt would end as this one did. */
const hopeless: readonly (string | null)[] = [null, 'ENOTFOUND', 'ETIMEDOUT'];

/** Whether the same may go well later; another status says what is wrong with the request, or with whom it is sent to. */
export const passes = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function answerOnce(
  { method, url, headers, body }: Request,
  { allows, signal, deadline }: Asking,
): Promise<Answer> {
  const target = new URL(url);
  const host = bareHost(target);
  // A host that is an address is not looked up.
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
