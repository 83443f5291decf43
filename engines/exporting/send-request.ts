/** Sends HTTP requests to the storages of tenants, and repeats them after errors that may be temporary. */
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Request, requestPinned, SILENCE_MS } from '../../shared/pinned-request.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first 64 KiB of the answer's body. */
  readonly body: string;
}

export interface RequestLimits {
  readonly allows: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** The end of all attempts, in ms of `performance.now()`. */
  readonly deadline: number;
  /** Default: SILENCE_MS. Tests use a shorter time. */
  readonly silenceMs?: number | undefined;
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
/** The lowest accepted speed, bytes per ms: a megabit per second. */
const SLOWEST = 128;
const ANSWER_BYTES = 65_536;

/** Sends a request, and retries after errors that may be temporary. So it must be safe to send a request twice. Throws NoAnswer. */
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

const finalCodes: readonly (string | null)[] = [null, 'ENOTFOUND', 'ETIMEDOUT'];

export const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * The time limit of one request, ms: twice the longest silence, and the time of its body at the lowest speed. Without this limit, a very
 * slow storage would hold a place until the step ends.
 */
export const longestRequest = (bytes: number): number => 2 * SILENCE_MS + Math.ceil(bytes / SLOWEST);

async function sendOnce(
  request: Request,
  { allows, signal, deadline, silenceMs }: RequestLimits,
): Promise<Answer> {
  const longest = longestRequest(request.body?.byteLength ?? 0);
  const timeoutMs = Math.max(1, Math.min(longest, Math.ceil(deadline - performance.now())));
  const tooLong = AbortSignal.timeout(timeoutMs);
  const responding = requestPinned(request, allows, AbortSignal.any([signal, tooLong]), silenceMs);
  try {
    const response = await responding;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES) break;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (tooLong.aborted) throw new NoAnswer(`no answer in ${timeoutMs} ms`, 'ETIMEDOUT');
    const { message, code } = error as NodeJS.ErrnoException;
    throw new NoAnswer(message || String(code), code);
  }
}
