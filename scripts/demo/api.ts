/** The calls of the API that the demo makes. */

export interface Asset {
  readonly asset_id: string;
  readonly stage: string | null;
}

export interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly progress: number;
  readonly error: { readonly title: string; readonly detail: string } | null;
}

export interface Transcription {
  readonly transcription_id: string;
}

export class Api {
  readonly #origin: string;
  readonly #key: string;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#send('GET', path)).json() as Promise<T>;
  }

  async text(path: string): Promise<string> {
    return (await this.#send('GET', path)).text();
  }

  /** Each call carries an Idempotency-Key, so that a lost answer can be asked for again. */
  async post<T>(path: string, body: object): Promise<T> {
    return (await this.#send('POST', path, body)).json() as Promise<T>;
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          'Idempotency-Key': crypto.randomUUID(),
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
    throw new Error(`${method} ${path}: ${response.status} ${problem.code ?? ''} ${problem.detail ?? ''}`);
  }
}
