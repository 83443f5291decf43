/** One request to the API: authenticated, repeated where that helps, its problem thrown where it has one. */

export interface ClientOptions {
  /** Origin without `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** How often a request is repeated after 429, 503 or a broken connection; 4 when absent. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
  /** Waits that many milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export interface CallOptions {
  /** Sent with POST; a fresh one each call when absent, the same for its repeats. */
  readonly idempotencyKey?: string;
  /** ETag that the resource must still have. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
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

/** An answer that is no success: RFC 9457, with the API's stable `code`. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  /** Null where what answered was not the API. */
  readonly problem: ProblemBody | null;

  constructor(status: number, problem: ProblemBody | null) {
    super(problem === null ? `The API answered ${status}.` : `${problem.code}: ${problem.detail}`);
    this.name = 'ProblemError';
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.problem = problem;
  }
}

/** Text of the caller's own as a path holds it: encoded twice, since API Gateway decodes paths twice. */
export const pathText = (text: string): string => encodeURIComponent(encodeURIComponent(text));

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;
const busy = new Set([429, 503]);

export class Http {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async json<T>(call: Call): Promise<T> {
    return (await this.send(call)).json() as Promise<T>;
  }

  async text(call: Call): Promise<string> {
    return (await this.send(call)).text();
  }

  async nothing(call: Call): Promise<void> {
    await (await this.send(call)).arrayBuffer();
  }

  async send(call: Call): Promise<Response> {
    const { url, retries = 4, fetch: request = fetch, sleep = wait } = this.#options;
    const init = this.#init(call);
    // A change that was made already would fail the condition of its repeat.
    const isRepeatable = call.options?.ifMatch === undefined;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      const response = await request(url + addressOf(call), init).catch((error: unknown) => {
        if (isLast || !isRepeatable || call.options?.signal?.aborted) throw error;
        return null;
      });
      if (response?.ok) return response;
      if (response !== null && (isLast || !busy.has(response.status))) throw await problemOf(response);
      await sleep(pause(attempt, response?.headers.get('retry-after')));
    }
  }

  #init({ method, body, options = {} }: Call): RequestInit {
    const { idempotencyKey = crypto.randomUUID(), ifMatch, signal } = options;
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#options.apiKey}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (method === 'POST') headers['Idempotency-Key'] = idempotencyKey;
    if (ifMatch !== undefined) headers['If-Match'] = ifMatch;
    return {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    };
  }
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** What the server asks for, else twice as long each time and up to half of it by chance. */
function pause(attempt: number, retryAfter: string | null | undefined): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  if (seconds >= 0) return seconds * 1000;
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
  return new ProblemError(response.status, isProblem ? ((await response.json()) as ProblemBody) : null);
}
