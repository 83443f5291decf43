/** An HTTP service whose main job works, except for the answers that a test breaks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from 'uuidv7';

export interface FakeAsset {
  readonly asset_id: string;
  readonly filename: string;
  readonly created_at: string;
}

/** Answers by `METHOD path`, with ids as `:id`; null never answers. */
export type Faults = Record<string, readonly [status: number, body: object | string] | null>;

export class FakeService {
  readonly assets = new Map<string, FakeAsset>();
  readonly faults: Faults = {};
  /** `METHOD path` of every request, ids as `:id`. */
  readonly requests: string[] = [];
  /** Keys that were sent. */
  readonly keys = new Set<string>();
  url = '';
  readonly #server = createServer((request, response) => this.#answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  add(filename: string, created_at: string): string {
    const asset_id = uuidv7();
    this.assets.set(asset_id, { asset_id, filename, created_at });
    return asset_id;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, key] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (key !== undefined) this.keys.add(key);
      const path = request.url!.split('?')[0]!;
      const name = `${request.method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}`;
      this.requests.push(name);
      const fault = this.faults[name];
      if (fault === null) return;
      const body = Buffer.concat(chunks).toString('latin1');
      const [status, answer] = fault ?? this.#well(name, path, body);
      const isText = typeof answer === 'string';
      response.writeHead(status, {
        'Content-Type': isText ? 'text/vtt' : status < 400 ? 'application/json' : 'application/problem+json',
        ETag: '"part"',
      });
      response.end(isText ? answer : JSON.stringify(answer));
    });
  }

  #well(name: string, path: string, body: string): readonly [number, object | string] {
    const asset_id = /[0-9a-f-]{36}/.exec(path)?.[0] ?? '';
    const asset = this.assets.get(asset_id);
    switch (name) {
      case 'GET /v1/assets':
        return [200, { data: [...this.assets.values()], next_cursor: null }];
      case 'POST /v1/assets': {
        const made = this.add(JSON.parse(body).filename, new Date().toISOString());
        return [201, this.assets.get(made)!];
      }
      case 'POST /v1/assets/:id/start_upload':
        return [200, { parts: [{ part_number: 1, url: `${this.url}/part` }] }];
      case 'PUT /part':
        return [200, ''];
      case 'POST /v1/assets/:id/finish_upload':
        return [202, { job_id: asset_id, status: 'queued', progress: 0 }];
      case 'GET /v1/assets/:id/ingest_jobs/:id':
        return [200, { job_id: asset_id, status: 'succeeded', progress: 1 }];
      case 'GET /v1/assets/:id/transcriptions':
        return [200, { data: [{ transcription_id: asset_id }], next_cursor: null }];
      case 'GET /v1/assets/:id/transcriptions/:id/vtt':
        return [200, 'WEBVTT\n\n00:00.000 --> 00:02.000\nWelcome\n'];
      case 'DELETE /v1/assets/:id':
        this.assets.delete(asset_id);
        return asset === undefined ? problem(404, 'resource_not_found') : [204, ''];
      case 'GET /v1/assets/:id':
        return asset === undefined ? problem(404, 'resource_not_found') : [200, asset];
      default:
        return problem(404, 'route_not_found');
    }
  }
}

export const problem = (status: number, code: string): [number, object] => [
  status,
  { type: 'about:blank', title: code, status, detail: 'It is so.', code, request_id: 'request-1' },
];
