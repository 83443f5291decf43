import { afterAll, describe, expect, it, vi } from 'vitest';
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { lambdaEnvironment } from '../../support/environment.ts';
import { type EventInput, httpEvent } from '../../support/http-event.ts';

type Module = { handler: (event: HttpEvent, context: object) => Promise<HttpReply> };

const environment = await lambdaEnvironment();
// Modules of another test in this process may have read its environment.
vi.resetModules();
afterAll(() => environment.close());
const { handler: reading } = (await import('../../../lambdas/assets/api/assets.ts')) as unknown as Module;
const { handler: lifecycle } = (await import(
  '../../../lambdas/assets/api/asset-lifecycle.ts'
)) as unknown as Module;
const key = (await environment.newKey('acme')).text;

async function call(input: EventInput, bearer: string | null = key) {
  const authorization: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
  const handler = /^(GET|HEAD)/.test(input.route) ? reading : lifecycle;
  const reply = await handler(httpEvent({ ...input, headers: { ...authorization, ...input.headers } }), {});
  return { ...reply, json: reply.body === '' ? null : JSON.parse(reply.body) };
}

const create = (body: unknown, headers: Record<string, string> = {}, bearer: string | null = key) =>
  call({ route: 'POST /v1/assets', body, headers }, bearer);
const list = (query: Record<string, string> = {}, bearer: string | null = key) =>
  call({ route: 'GET /v1/assets', query }, bearer);
const get = (id: string, headers: Record<string, string> = {}) =>
  call({ route: 'GET /v1/assets/{asset_id}', params: { asset_id: id }, headers });

describe('authentication', () => {
  it('answers 401 missing_credentials without an Authorization header', async () => {
    const reply = await list({}, null);
    expect(reply.statusCode).toBe(401);
    expect(reply.json.code).toBe('missing_credentials');
    expect(reply.headers['WWW-Authenticate']).toBe('Bearer realm="kinora"');
  });

  it('answers 401 invalid_api_key for other text or schemes, and for a key with another secret', async () => {
    const flipped = key.replace(/_(.)(?=[^_]{37}$)/, (_, first) => `_${first === 'A' ? 'B' : 'A'}`);
    const others = ['nonsense', key.slice(0, -1), `${key}x`, flipped].map((text) => `Bearer ${text}`);
    for (const authorization of [...others, `Basic ${key}`]) {
      const reply = await call({ route: 'GET /v1/assets', headers: { authorization } }, null);
      expect([reply.statusCode, reply.json.code]).toEqual([401, 'invalid_api_key']);
      expect(reply.headers['WWW-Authenticate']).toContain('error="invalid_token"');
    }
  });

  it('answers 401 expired_api_key for an expired key, and invalid_api_key for a revoked one', async () => {
    const expired = await environment.newKey('acme', ['assets:read'], '2020-01-01T00:00:00.000Z');
    expect((await list({}, expired.text)).json.code).toBe('expired_api_key');
    const revoked = await environment.newKey('acme', ['assets:read']);
    await environment.keys.revoke(revoked.key.id);
    expect((await list({}, revoked.text)).json.code).toBe('invalid_api_key');
  });

  it('answers 403 insufficient_scope and names the scope that is needed', async () => {
    const reader = await environment.newKey('acme', ['assets:read']);
    const reply = await create({ filename: 'a.mp4' }, {}, reader.text);
    expect([reply.statusCode, reply.json.code]).toEqual([403, 'insufficient_scope']);
    expect(reply.json.detail).toContain('assets:write');
  });

  it('accepts a rotated key until its overlap ends', async () => {
    const old = await environment.newKey('acme', ['assets:read']);
    const rotated = await environment.keys.rotate(old.key.id, new Date(Date.now() + 60_000), {
      mode: 'test',
    });
    expect((await list({}, old.text)).statusCode).toBe(200);
    expect((await list({}, rotated!.text)).statusCode).toBe(200);
  });

  it('stores no key in plain text', async () => {
    const made = await environment.newKey('acme');
    const stored = await environment.keys.find(made.key.id);
    expect(JSON.stringify(stored)).not.toContain(made.text.split('_')[3]);
  });
});

type Finding = { pointer: string; code: string };

describe('the rate limit', () => {
  const limits = { requests_per_minute: 3, concurrent_jobs: null, quotas: {} };
  const none = 'PATCH /v1/assets';
  it.each([
    ['without the scope', 403, ['assets:read'], 'POST /v1/assets', undefined],
    ['with a method that the path does not have', 405, ['assets:read'], none, undefined],
    ['with an expired key', 401, ['assets:read'], 'GET /v1/assets', '2020-01-01T00:00:00.000Z'],
  ] as const)('counts requests %s', async (_, status, scopes, route, expiresAt) => {
    const tenant = `refused-${status}`;
    const { key, text } = await environment.newKey(tenant, scopes, expiresAt);
    await environment.keys.setLimits(key.tenant, limits);
    const ask = () => call({ route, body: { filename: 'a.mp4' } }, text);
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ask()).statusCode);
    // The minute may end during the test.
    expect(statuses.slice(0, 3)).toEqual([status, status, status]);
    expect([429, status]).toContain(statuses[3]);
    expect((await ask()).headers).toHaveProperty('RateLimit');
  });
});

describe('an error response', () => {
  it('contains the seven members that the site documents, the request id and the path without its query', async () => {
    const reply = await list({ page: 'x' });
    expect(reply.headers['Content-Type']).toBe('application/problem+json');
    expect(reply.json).toMatchObject({
      type: 'https://kinora.test/problems#invalid-parameter',
      title: 'Invalid parameter',
      status: 400,
      detail: expect.any(String),
      instance: '/v1/assets',
      code: 'invalid_parameter',
      docs: 'https://kinora.test/problems',
      request_id: 'request-1',
    });
  });

  it('lists all errors of a body, each with its pointer', async () => {
    const reply = await create({ name: 7, mc_model: 'slow', extra: true, language_id: 'x' });
    expect([reply.statusCode, reply.json.code]).toEqual([422, 'validation_failed']);
    const found = reply.json.errors.map(({ pointer, code }: Finding) => `${pointer} ${code}`);
    expect(found.toSorted()).toEqual([
      ...['/extra unknown_member', '/filename required', '/language_id invalid_format'],
      ...['/mc_model not_allowed', '/name wrong_type'],
    ]);
  });

  it.each([
    ['malformed_json', 400, '{"filename":'],
    ['malformed_json', 400, '{"filename":"\\ud800"}'],
    ['malformed_json', 400, `${'['.repeat(40)}${']'.repeat(40)}`],
    // Sorting them would take half a minute.
    ['malformed_json', 400, JSON.stringify({ filename: '\u0301\u0316'.repeat(100_000) })],
    ['malformed_json', 400, JSON.stringify({ ['\u0301'.repeat(200_000)]: 1 })],
    ['malformed_json', 400, '{"__proto__":{"filename":"a"}}'],
    // Two members have equal names in NFC.
    ['malformed_json', 400, '{"\u00e9":1,"e\u0301":2}'],
    ['validation_failed', 422, 'null'],
    ['validation_failed', 422, '[]'],
    ['validation_failed', 422, undefined],
    ['payload_too_large', 413, JSON.stringify({ filename: 'x'.repeat(7e6) })],
  ])('has the code and status %s %i for the body %.50s', async (code, status, rawBody) => {
    const reply = await call({ route: 'POST /v1/assets', ...(rawBody !== undefined && { rawBody }) });
    expect([reply.statusCode, reply.json.code]).toEqual([status, code]);
  });

  it('lists no errors in the items of a list that is too long, even in three megabytes of invalid items', async () => {
    const { handler } = await import('../../../lambdas/collections/api/collections.ts');
    const event = httpEvent({
      route: 'POST /v1/collections/{collection_id}/assets',
      params: { collection_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' },
      headers: { authorization: `Bearer ${key}` },
      rawBody: `{"asset_ids":[${'0,'.repeat(1_500_000)}0]}`,
    });
    const reply = await (handler as unknown as Module['handler'])(event, {});
    expect(reply.statusCode).toBe(422);
    expect(JSON.parse(reply.body).errors).toMatchObject([{ pointer: '/asset_ids', code: 'too_many' }]);
  });

  it('is possible for a body with three megabytes of unknown members', async () => {
    const members = Array.from({ length: 250_000 }, (_, at) => `"m${at}":0`);
    const reply = await call({ route: 'POST /v1/assets', rawBody: `{${members.join(',')}}` });
    expect(reply.statusCode).toBe(422);
    expect(reply.json.detail).toContain('999 more findings');
    expect(reply.json.errors).toHaveLength(50);
  });

  it('has status 415 for a body that is not JSON', async () => {
    const reply = await create({ filename: 'a' }, { 'content-type': 'text/plain' });
    expect([reply.statusCode, reply.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('is sent for unknown query parameters and ids that are not UUIDs', async () => {
    const unknown = await list({ colour: 'red' });
    expect(unknown.json.errors).toMatchObject([{ parameter: 'colour', code: 'unknown_member' }]);
    expect((await get('7')).json.errors[0]).toMatchObject({ parameter: 'asset_id', code: 'invalid_format' });
  });

  it('suggests the known name of a misspelled member or parameter', async () => {
    const misspelled = await create({ filname: 'a.mp4', colour: 'red' });
    expect(misspelled.json.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ detail: 'Unknown member `filname`. Did you mean `filename`?' }),
        expect.objectContaining({ detail: 'Unknown member `colour`.' }),
      ]),
    );
    expect((await list({ itms: '5' })).json.detail).toBe('Unknown parameter `itms`. Did you mean `items`?');
  });

  it('has status 422 unknown_reference and each id that does not exist', async () => {
    const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';
    const reply = await create({ filename: 'a', template_id: missing, collection_id: missing });
    expect([reply.statusCode, reply.json.code]).toEqual([422, 'unknown_reference']);
    expect(reply.json.errors).toMatchObject([{ pointer: '/template_id' }, { pointer: '/collection_id' }]);
  });

  it('hides internal details of an unexpected failure', async () => {
    const silenced = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const broken = httpEvent({ route: 'GET /v1/assets', headers: { authorization: `Bearer ${key}` } });
    const event = {
      ...broken,
      get queryStringParameters(): never {
        throw new Error('secret detail');
      },
    };
    const reply = await reading(event as unknown as HttpEvent, {});
    silenced.mockRestore();
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret detail');
  });
});

describe('idempotency', () => {
  it('returns the first response again for a repeated key', async () => {
    const first = await create({ filename: 'a.mp4' }, { 'idempotency-key': 'k1' });
    const second = await create({ filename: 'a.mp4' }, { 'idempotency-key': 'k1' });
    expect(second.statusCode).toBe(201);
    expect(second.json).toEqual(first.json);
    expect(second.headers).toMatchObject({ 'Idempotent-Replayed': 'true', Location: first.headers.Location });
    expect(first.headers['Idempotent-Replayed']).toBeUndefined();
  });

  it('refuses a key that was used with another body', async () => {
    await create({ filename: 'a.mp4' }, { 'idempotency-key': 'k2' });
    const reply = await create({ filename: 'b.mp4' }, { 'idempotency-key': 'k2' });
    expect([reply.statusCode, reply.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('runs a request only once if it is sent many times at the same time', async () => {
    const own = (await environment.newKey('rush')).text;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => create({ filename: 'a' }, { 'idempotency-key': 'k3' }, own)),
    );
    const statuses = new Set(replies.map(({ statusCode }) => statusCode));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    expect((await list({}, own)).json.total).toBe(1);
  });

  it('lets a failed request run again with its key', async () => {
    const headers = { 'idempotency-key': 'k4' };
    const bad = { filename: 'a', template_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' };
    expect((await create(bad, headers)).statusCode).toBe(422);
    expect((await create(bad, headers)).json.code).toBe('unknown_reference');
  });

  it('separates the keys of tenants', async () => {
    const other = (await environment.newKey('other')).text;
    await create({ filename: 'a' }, { 'idempotency-key': 'k5' });
    const reply = await create({ filename: 'b' }, { 'idempotency-key': 'k5' }, other);
    expect(reply.statusCode).toBe(201);
  });

  it('refuses keys that are not printable ASCII', async () => {
    expect((await create({ filename: 'a' }, { 'idempotency-key': 'k ey' })).json.code).toBe(
      'invalid_parameter',
    );
  });
});

describe('requests and responses', () => {
  it('have status 201 with Location, ETag and request id, and 304 as long as the ETag is current', async () => {
    const made = await create({ filename: 'a.mp4' });
    expect(made.headers.Location).toBe(`/v1/assets/${made.json.asset_id}`);
    expect(made.headers['X-Request-Id']).toBe('request-1');
    // An id can be in any case.
    const again = await get(made.json.asset_id.toUpperCase(), { 'if-none-match': made.headers.ETag! });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get(made.json.asset_id, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('are the same for HEAD and GET, because API Gateway removes the body', async () => {
    const made = await create({ filename: 'a.mp4' });
    const params = { asset_id: made.json.asset_id };
    const [head, got] = await Promise.all(
      ['HEAD', 'GET'].map((method) => call({ route: 'GET /v1/assets/{asset_id}', method, params })),
    );
    expect(head).toEqual(got);
    const headers = { 'if-none-match': made.headers.ETag! };
    const current = await call({ route: 'HEAD /v1/assets/{asset_id}', params, headers });
    expect(current.statusCode).toBe(304);
  });

  it('have status 405 with Allow if the path supports other methods', async () => {
    const params = { asset_id: 'x' };
    const reply = await call({ route: 'GET /v1/assets/{asset_id}', method: 'PUT', params });
    expect([reply.statusCode, reply.json.code]).toEqual([405, 'method_not_allowed']);
    expect(reply.headers.Allow).toBe('GET, HEAD');
  });

  it.each([
    [
      'base64 of what is no UTF-8',
      { isBase64Encoded: true, body: Buffer.from('{"filename":"\xff"}', 'latin1').toString('base64') },
    ],
    ['text in which the gateway replaced it', { body: '{"filename":"\ufffd"}' }],
  ])('are refused if the body is %s', async (_, sent) => {
    const authorization = `Bearer ${key}`;
    const event = httpEvent({ route: 'POST /v1/assets', headers: { authorization }, body: {} });
    const reply = await lifecycle({ ...event, ...sent }, {});
    expect([reply.statusCode, JSON.parse(reply.body).code]).toEqual([400, 'malformed_json']);
  });

  it('can contain a U+FFFD that the caller sent', async () => {
    const rawBody = '{"filename":"a\\ufffd.mp4"}';
    expect((await call({ route: 'POST /v1/assets', rawBody })).json.filename).toBe('a\ufffd.mp4');
  });

  it('have text in NFC after storage', async () => {
    expect((await create({ filename: 'e\u0301.mp4' })).json.filename).toBe('\u00e9.mp4');
  });

  it('have page 1 with 16 items by default, and links', async () => {
    const own = (await environment.newKey('lister')).text;
    for (let at = 0; at < 18; at += 1) await create({ filename: `${at}.mp4` }, {}, own);
    const first = await list({}, own);
    expect(first.json).toMatchObject({ page: 1, items: 16, total: 18, total_is_lower_bound: false });
    expect(first.json.data[0].filename).toBe('17.mp4');
    expect(first.headers.Link).toContain('rel="next"');
    const second = await list({ cursor: first.json.next_cursor }, own);
    expect(second.json.data).toMatchObject([{ filename: '1.mp4' }, { filename: '0.mp4' }]);
    expect(second.json.next_cursor).toBeNull();
  });

  it('are refused with cursors of other sources or for other filters', async () => {
    const { json } = await list({ items: '1' });
    expect((await list({ cursor: 'abc' })).json.code).toBe('invalid_cursor');
    expect((await list({ cursor: json.next_cursor, sentiment: 'Neutral' })).json.code).toBe('invalid_cursor');
  });
});
