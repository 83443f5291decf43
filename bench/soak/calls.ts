/** Records the answers of all requests of the soak, with their latencies. */
import { type Kinora, ProblemError } from '../../client/index.ts';

/** Time limit of an answer, ms. It is longer than any answer on a busy machine. If there is no answer in this time, an error is recorded. */
const TIMEOUT_MS = 60_000;
/** The number of faults whose text is kept. All faults are counted. */
const MOST_FAULTS = 50;

export class Calls {
  /** The milliseconds of each request, including requests without an answer. */
  readonly latencies: number[] = [];
  readonly faults: string[] = [];
  faultCount = 0;
  refusedOnPurpose = 0;
  readonly jobs = new Map<string, number>();

  /** The client does not retry requests, so that every error is recorded. */
  readonly options = { retries: 0, timeoutMs: TIMEOUT_MS, fetch: this.fetch.bind(this) as typeof fetch };

  fault(text: string): void {
    this.faultCount += 1;
    if (this.faults.length < MOST_FAULTS) this.faults.push(`${new Date().toISOString()} ${text}`);
  }

  jobEnded(type: string, status: string): void {
    const key = `${type} ${status}`;
    this.jobs.set(key, (this.jobs.get(key) ?? 0) + 1);
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const began = performance.now();
    const name = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
      const bytes = await answer.arrayBuffer();
      if (answer.status >= 500 && answer.status !== 501)
        this.fault(`${name} answered ${answer.status}: ${Buffer.from(bytes).toString('utf8', 0, 500)}`);
      const { status, statusText, headers } = answer;
      return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
    } catch (error) {
      this.fault(`${name}: ${error} ${(error as Error).cause ?? ''}`);
      throw error;
    } finally {
      this.latencies.push(performance.now() - began);
    }
  }

  /** Sends a request that must be rejected. @param code the expected error codes, separated by spaces */
  async refused(code: string, call: () => PromiseLike<unknown>): Promise<void> {
    try {
      await call();
      this.fault(`${code} was expected, and it was granted: ${call}`);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (code.split(' ').includes(error.code)) this.refusedOnPurpose += 1;
      else this.fault(`${code} was expected, and it was ${error.code}: ${error.message}`);
    }
  }
}

export interface Tenant {
  readonly name: string;
  readonly kinora: Kinora;
  readonly calls: Calls;
  readonly languages: ReadonlyMap<string, string>;
  /** All assets that the tenant created. */
  readonly assets: string[];
}
