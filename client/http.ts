/** Sends one request to the API with the API key, retries it if possible, and throws the problem of an error response. */
import { type Answer, answerOf, type Full, type List, listOf, type Page } from './answers.ts';
import { wait } from './wait.ts';

export interface ClientOptions {
  /** Origin without `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** The number of retries after 429, 503 or a broken connection. Default: 4. */
  readonly retries?: number;
  /** The time limit of one attempt, in milliseconds, including the reading of the response. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  /** The idempotency key of a POST. Default: a new key for each call. Retries send the same key. */
  readonly idempotencyKey?: string;
  /** The ETag that the resource must still have. `withResponse()` returns it. */
  readonly ifMatch?: string;
  /** Aborts the call and its retries. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** The time limit of one attempt, in milliseconds. Overrides the setting of the client. */
  readonly timeoutMs?: number;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly options?: CallOptions | undefined;
}

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly { pointer?: string; parameter?: string; code: string; detail: string }[];
}

/**
 * An error response (RFC 9457). Its `code` is stable.
 * @example
 * try {
 *   await kinora.createAsset({ body: { filename: 'talk.mp4', external_id: 'cms-4711' } });
 * } catch (error) {
 *   if (!(error instanceof ProblemError) || error.code !== 'external_id_conflict') throw error;
 *   await kinora.getAssetByExternalId({ external_id: 'cms-4711' });
 * }
 */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  /** Null if the response is not from the API, for example from a proxy. */
  readonly problem: ProblemBody | null;
  /** The seconds to wait before a retry, if the API states them. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: ProblemBody | null, retryAfter: number | null = null) {
    super(problem === null ? `The API answered ${status}.` : `${problem.code}: ${problem.detail}`);
    this.name = 'ProblemError';
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** Encodes the caller's text for a path. API Gateway decodes paths twice, so the text is encoded twice. */
export const pathText = (text: string): string =>
  // Dots are escaped too: otherwise, `fetch` would remove a segment that consists only of dots.
  encodeURIComponent(encodeURIComponent(text).replaceAll('.', '%2E'));

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;
const busy = new Set([429, 503]);

export class Http {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  json<Data>(call: Call): Answer<Data> {
    return this.#answer(call, (response) => response.json() as Promise<Data>);
  }

  text(call: Call): Answer<string> {
    return this.#answer(call, (response) => response.text());
  }

  bytes(call: Call): Answer<Uint8Array> {
    return this.#answer(call, async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  nothing(call: Call): Answer<void> {
    return this.#answer(call, async (response) => void (await response.arrayBuffer()));
  }

  /** Requests a list. Requests the next pages by cursor, not by page number. */
  list<Kind extends Page>(call: Call): List<Kind> {
    const at = (cursor: string) => ({ ...call, query: { ...call.query, page: undefined, cursor } });
    return listOf(this.json<Kind>(call), (cursor) => this.json<Kind>(at(cursor)));
  }

  #answer<Data>(call: Call, read: (response: Response) => Promise<Data>): Answer<Data> {
    return answerOf(this.#full(call, read));
  }

  /** Repeats the call until one response is read completely, or no retry is left. */
  async #full<Data>(call: Call, read: (response: Response) => Promise<Data>): Promise<Full<Data>> {
    const { retries = 4, sleep = wait } = this.#options;
    const { ifMatch, signal } = call.options ?? {};
    const headers = this.#headers(call);
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(call, headers, read).catch((error: unknown) => ({ error }));
      if ('data' in outcome) return outcome;
      const { error } = outcome;
      const isAnswered = error instanceof ProblemError;
      // A call with `If-Match` is not retried after a lost connection: if the first attempt made the change, the condition of the retry would fail.
      const mayRepeat = isAnswered ? busy.has(error.status) : ifMatch === undefined;
      if (attempt >= retries || !mayRepeat || signal?.aborted) throw error;
      await sleep(pause(attempt, isAnswered ? error.retryAfter : null), signal);
      signal?.throwIfAborted();
    }
  }

  async #attempt<Data>(
    call: Call,
    headers: Readonly<Record<string, string>>,
    read: (response: Response) => Promise<Data>,
  ): Promise<Full<Data>> {
    const { url, fetch: request = fetch, timeoutMs: usual = 60_000 } = this.#options;
    const { method, body, options: { signal, timeoutMs = usual } = {} } = call;
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await request(url + addressOf(call), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) throw await problemOf(response);
    const data = await read(response);
    return { data, etag: response.headers.get('etag'), status: response.status, headers: response.headers };
  }

  /** Returns the headers of a call. All attempts send the same idempotency key. */
  #headers({ method, body, options = {} }: Call): Record<string, string> {
    const { idempotencyKey = crypto.randomUUID(), ifMatch } = options;
    return {
      Authorization: `Bearer ${this.#options.apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(method === 'POST' && { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    };
  }
}

/** Returns the wait in ms: the server's `Retry-After`, or else exponential backoff with up to 50 % jitter. */
function pause(attempt: number, retryAfter: number | null): number {
  if (retryAfter !== null) return retryAfter * 1000;
  const longest = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
  return longest * (0.5 + Math.random() / 2);
}

function addressOf({ path, query = {} }: Call): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

async function problemOf(response: Response): Promise<ProblemError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const problem = isProblem ? ((await response.json()) as ProblemBody) : null;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ProblemError(response.status, problem, seconds >= 0 ? seconds : null);
}
