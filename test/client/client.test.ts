import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobEnd, Kinora, ProblemError } from '../../client/index.ts';
import { sendParts } from '../../client/upload.ts';
import { listen } from '../../local/listen.ts';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'broken' | 'silent';

let server: Server;
let seen: Seen[];
let replies: Reply[];
let waits: number[];
let kinora: Kinora;
let url: string;

beforeEach(async () => {
  [seen, replies, waits] = [[], [], []];
  server = createServer(async (request, response) => {
    const body = await text(request);
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    const reply = replies.shift() ?? { status: 200, body: {} };
    if (reply === 'broken') {
      request.socket.destroy();
      return;
    }
    if (reply === 'silent') return;
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  });
  ({ url } = await listen(server, 0));
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  kinora = new Kinora({ url, apiKey: 'knr_test', sleep });
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const problem = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  body: { code, detail: 'Because.', status },
  headers: { 'content-type': 'application/problem+json', ...headers },
});

describe('a call of the client', () => {
  it('fills the path and the query, and sends the API key', async () => {
    await kinora.getAssetByExternalId({ external_id: 'a/b c' });
    await kinora.listAssets({ items: 5, sentiment: 'Neutral' });
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/external/assets/a%252Fb%2520c',
      'GET /v1/assets?items=5&sentiment=Neutral',
    ]);
    expect(seen[0]!.headers.authorization).toBe('Bearer knr_test');
  });

  it('sends the body as JSON, and If-Match if it is given', async () => {
    await kinora.updateTemplate({ template_id: 't', body: { name: 'N' } }, { ifMatch: '"1"' });
    expect(seen[0]).toMatchObject({ line: 'PATCH /v1/templates/t', body: '{"name":"N"}' });
    expect(seen[0]!.headers).toMatchObject({ 'if-match': '"1"', 'content-type': 'application/json' });
  });

  it('returns nothing for a response without a body', async () => {
    replies = [{ status: 204 }];
    expect(await kinora.deleteAsset({ asset_id: 'a' })).toBeUndefined();
  });

  it('throws the problem with its code, in both forms', async () => {
    replies = [problem(404, 'resource_not_found'), problem(404, 'resource_not_found')];
    const error = await kinora.getAsset({ asset_id: 'a' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ status: 404, code: 'resource_not_found', problem: { detail: 'Because.' } });
    await expect(kinora.getAsset({ asset_id: 'a' }).withResponse()).rejects.toBeInstanceOf(ProblemError);
  });
});

describe('a response', () => {
  it('is returned as its data, and on request also with its ETag and status', async () => {
    replies = [{ status: 200, body: { name: 'N' }, headers: { etag: '"7"', 'x-request-id': 'r' } }];
    const { data, etag, status, headers } = await kinora.getTemplate({ template_id: 't' }).withResponse();
    expect([data, etag, status, headers.get('x-request-id')]).toEqual([{ name: 'N' }, '"7"', 200, 'r']);
  });

  it('is returned as bytes if it is not text', async () => {
    replies = [{ status: 200, body: 'é', headers: { 'content-type': 'application/x-ebu-stl' } }];
    const bytes = await kinora.getStl({ asset_id: 'a', transcription_id: 't' });
    expect(bytes).toEqual(new Uint8Array(Buffer.from('"é"', 'utf8')));
  });
});

describe('a list', () => {
  const pageOf = (data: unknown[], next_cursor: string | null): Reply => ({
    status: 200,
    body: { data, page: 1, items: 2, total: 3, total_is_lower_bound: false, next_cursor },
  });

  it('is one page if it is awaited', async () => {
    replies = [pageOf([{ name: 'a' }], 'next')];
    expect((await kinora.listTemplates({ items: 1 })).data).toEqual([{ name: 'a' }]);
    expect(seen).toHaveLength(1);
  });

  it('returns all items in a loop, and requests each page only when it is needed', async () => {
    const two = pageOf([{ name: 'a' }, { name: 'b' }], 'one');
    replies = [two, pageOf([], 'two'), pageOf([{ name: 'c' }], null)];
    const names: string[] = [];
    for await (const { name } of kinora.listTemplates({ items: 2, page: 1 })) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/templates?page=1&items=2',
      'GET /v1/templates?items=2&cursor=one',
      'GET /v1/templates?items=2&cursor=two',
    ]);
  });

  it('requests no page that the caller does not read', async () => {
    replies = [pageOf([{ name: 'a' }, { name: 'b' }], 'one')];
    for await (const { name } of kinora.listTemplates()) if (name === 'b') break;
    expect(seen).toHaveLength(1);
  });

  it('throws if a page cannot be read', async () => {
    replies = [pageOf([], 'one'), problem(400, 'invalid_cursor')];
    const walk = async () => {
      for await (const _ of kinora.listTemplates()) expect.unreachable();
    };
    await expect(walk()).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('the time limit', () => {
  it('applies to each attempt, which is then retried', async () => {
    replies = ['silent', { status: 200, body: { name: 'N' } }];
    expect(await kinora.getTemplate({ template_id: 't' }, { timeoutMs: 500 })).toEqual({ name: 'N' });
    replies = ['silent'];
    const once = new Kinora({ url, apiKey: 'knr_test', retries: 0, timeoutMs: 50 });
    await expect(once.getTemplate({ template_id: 't' })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('can be set by the caller, and stops a running attempt and the wait between two attempts', async () => {
    replies = ['silent'];
    const reason = new Error('enough');
    const during = AbortSignal.timeout(500);
    const timedOut = { name: 'TimeoutError' };
    await expect(kinora.listTemplates({}, { signal: during })).rejects.toMatchObject(timedOut);
    expect(seen).toHaveLength(1);
    replies = [problem(503, 'temporarily_unavailable', { 'retry-after': '3600' })];
    const controller = new AbortController();
    const waiting = new Kinora({ url, apiKey: 'knr_test' }).listTemplates({}, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await expect(waiting).rejects.toBe(reason);
    expect(seen).toHaveLength(2);
  });

  it('also ends the wait for a job', async () => {
    const controller = new AbortController();
    const followed = jobEnd(async () => ({ status: 'running' }), undefined, 60_000, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(followed).rejects.toThrow('enough');
  });
});

describe('a retry', () => {
  it('waits for the time in Retry-After, and sends the same Idempotency-Key', async () => {
    const created = { status: 201, body: { asset_id: 'a' } };
    replies = [problem(429, 'rate_limited', { 'retry-after': '7' }), created];
    expect(await kinora.createAsset({ body: { filename: 'a.mp4' } })).toEqual({ asset_id: 'a' });
    expect(waits).toEqual([7000]);
    const [first, second] = seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });

  it('follows 503 and broken connections, with longer and longer waits', async () => {
    const unavailable = problem(503, 'temporarily_unavailable');
    replies = [unavailable, 'broken', 'broken', { status: 200, body: { data: [] } }];
    await kinora.listLanguages();
    expect(seen).toHaveLength(4);
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** at);
      expect(wait).toBeLessThanOrEqual(250 * 2 ** at);
    }
  });

  it('happens at most four times, and not for errors that a retry cannot solve', async () => {
    replies = Array.from({ length: 5 }, () => problem(503, 'temporarily_unavailable'));
    await expect(kinora.listLanguages()).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(5);
    replies = [problem(422, 'validation_failed')];
    await expect(kinora.createAsset({ body: { filename: '' } })).rejects.toMatchObject({ status: 422 });
    expect(seen).toHaveLength(6);
  });
});

describe('an upload', () => {
  const ticketOf = (count: number) => {
    const parts = Array.from({ length: count }, (_, at) => ({
      part_number: at + 1,
      url: `${url}/${at + 1}`,
    }));
    return { upload_id: 'u', expires_at: '2030-01-01T00:00:00Z', parts };
  };

  it('sends every part to its URL and returns the ETags in order', async () => {
    replies = [1, 2, 3].map((part) => ({ status: 200, headers: { etag: `"${part}"` } }));
    const told: number[] = [];
    const etags = await sendParts(ticketOf(3), new Blob(['abcdefgh']), {
      partSize: 3,
      onSent: (bytes) => told.push(bytes),
    });
    expect([...etags].sort()).toEqual(['"1"', '"2"', '"3"']);
    expect(Object.fromEntries(seen.map(({ line, body }) => [line, body]))).toEqual({
      'PUT /1': 'abc',
      'PUT /2': 'def',
      'PUT /3': 'gh',
    });
    expect(told.at(-1)).toBe(8);
  });

  it('reports why the storage refused a part', async () => {
    const sending = () => sendParts(ticketOf(1), new Blob(['abc']), { partSize: 3, onSent: () => undefined });
    const refusal = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
    replies = [{ status: 403, body: refusal }];
    await expect(sending()).rejects.toThrow(/^A part was refused: 403 Access Denied$/);
    replies = [{ status: 413, body: 'a page of a proxy' }];
    await expect(sending()).rejects.toThrow(/^A part was refused: 413$/);
  });
});

describe('a job', () => {
  it('is polled until it has ended', async () => {
    const states = ['queued', 'running', 'partially_succeeded'];
    const read: string[] = [];
    const look = async () => ({ status: states.shift()! });
    const ended = await jobEnd(look, ({ status }) => void read.push(status), 0);
    expect(ended.status).toBe('partially_succeeded');
    expect(read).toEqual(['queued', 'running', 'partially_succeeded']);
  });
});
