import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, test } from 'vitest';
import type { HttpEvent } from '../../gateway/event.ts';
import { type GatewayOptions, startGateway } from '../../gateway/index.ts';
import type { Outcome } from '../../lambda/index.ts';
import type { Listening } from '../../listen.ts';

const gateways: Listening[] = [];
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

async function gateway(answer: (event: HttpEvent) => unknown, options: Partial<GatewayOptions> = {}) {
  const started = await startGateway({
    port: 0,
    accountId: '000000000000',
    api: {
      routes: [
        { routeKey: 'ANY /things/{id}', functionName: 'Things', timeoutMs: 30_000 },
        { routeKey: 'GET /texts/{text+}', functionName: 'Things', timeoutMs: 30_000 },
        { routeKey: 'GET /slow', functionName: 'Things', timeoutMs: 50 },
      ],
    },
    invoke: async (_name, payload) => ({
      payload: JSON.stringify(await answer(JSON.parse(payload))) ?? 'null',
    }),
    now: () => Date.UTC(2026, 2, 12, 19, 3, 58),
    ...options,
  });
  gateways.push(started);
  return started;
}

const echo = await gateway((event) => event);
const eventOf = async (path: string, init?: RequestInit) =>
  (await (await fetch(echo.url + path, init)).json()) as HttpEvent;

/** Sends bytes as they are, for what `fetch` would not let through. */
function raw(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(request));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('an event in payload format 2.0', () => {
  it('has the fields of the AWS developer guide', async () => {
    const event = await eventOf('/things/7?a=1&b=%20x&a=2', { headers: { 'user-agent': 'tests' } });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /things/{id}',
      rawPath: '/things/7',
      rawQueryString: 'a=1&b=%20x&a=2',
      queryStringParameters: { a: '1,2', b: ' x' },
      pathParameters: { id: '7' },
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        domainName: new URL(echo.url).host,
        http: {
          method: 'GET',
          path: '/things/7',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tests',
        },
        routeKey: 'ANY /things/{id}',
        stage: '$default',
        time: '12/Mar/2026:19:03:58 +0000',
        timeEpoch: 1773342238000,
      },
    });
    expect(event.requestContext.requestId).toMatch(/^[A-Za-z0-9+/]{16}$/);
  });

  it('omits fields that the request does not have', async () => {
    const event = await eventOf('/things/7');
    for (const field of ['body', 'cookies', 'queryStringParameters']) expect(event).not.toHaveProperty(field);
  });

  it('joins repeated headers with commas, lower-cases their names, and lists cookies separately', async () => {
    const answer = await raw(
      echo.port,
      'GET /things/7 HTTP/1.1\r\nHost: localhost\r\nX-One: 1\r\nX-ONE: 2\r\nCookie: a=1; b=2\r\nConnection: close\r\n\r\n',
    );
    const event = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as HttpEvent;
    expect(event.headers).toMatchObject({
      host: 'localhost',
      'x-one': '1,2',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['a=1', 'b=2']);
  });

  it('is routed by the decoded path', async () => {
    const event = await eventOf('/things/a%20%C3%A9');
    expect(event.rawPath).toBe('/things/a é');
    expect(event.pathParameters).toEqual({ id: 'a é' });
  });

  // vokerhttp/testdata/ingress-paths.json of github.com/hotsock/voker, captured from AWS.
  test.each([
    ['space%20value', 'space value'],
    ['question%3Fvalue', 'question'],
    ['hash%23value', 'hash#value'],
    ['slash%2Fvalue', 'slash/value'],
    ['unicode-%CE%BB-%E4%B8%96%E7%95%8C', 'unicode-λ-世界'],
    ['literal%252Fvalue', 'literal/value'],
    ['literal%253Fvalue', 'literal?value'],
    ['literal%2525value', 'literal%value'],
  ])('for a request to /texts/%s, contains the path /texts/%s, as on AWS', async (sent, path) => {
    const event = await eventOf(`/texts/${sent}?a=b`);
    expect([event.rawPath, event.pathParameters]).toEqual([`/texts/${path}`, { text: path }]);
    expect(event.rawQueryString).toBe('a=b');
  });

  it('is not created if the path cannot be decoded twice', async () => {
    expect((await fetch(`${echo.url}/texts/percent%25done`)).status).toBe(400);
  });

  test.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['application/xml', false],
    ['application/javascript', false],
    ['text/plain', false],
    ['application/merge-patch+json', true],
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', true],
    ['application/octet-stream', true],
  ])('for a body of type %s has isBase64Encoded: %s', async (type, isBase64Encoded) => {
    const event = await eventOf('/things/7', {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{"é":1}',
    });
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString()).toBe('{"é":1}');
  });

  it('contains a body without a content type in base64', async () => {
    const event = await eventOf('/things/7', { method: 'POST', body: new Uint8Array([0xff, 0]) });
    expect(event).toMatchObject({ isBase64Encoded: true, body: '/wA=' });
  });
});

describe('the response to the client', () => {
  const answering = (result: unknown) => gateway(() => result).then(({ url }) => fetch(`${url}/things/1`));

  it('has the status, headers, cookies and body that the function returns', async () => {
    const answer = await answering({
      statusCode: 201,
      headers: { Location: '/things/2', 'content-type': 'application/json' },
      cookies: ['a=1', 'b=2'],
      body: '{"x":1}',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/things/2');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await answer.json()).toEqual({ x: 1 });
  });

  it('to a HEAD request equals the response to GET, without the body', async () => {
    const { url } = await gateway((event) => ({
      statusCode: 200,
      headers: { etag: '"1"' },
      body: event.routeKey,
    }));
    const head = await fetch(`${url}/things/1`, { method: 'HEAD' });
    const got = await fetch(`${url}/things/1`);
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
    expect([await head.text(), await got.text()]).toEqual(['', 'ANY /things/{id}']);
  });

  it('contains the decoded body if the function returns base64', async () => {
    const answer = await answering({ statusCode: 200, body: '/wA=', isBase64Encoded: true });
    expect([...(await answer.bytes())]).toEqual([0xff, 0]);
  });

  it('contains a body that the function compressed unchanged, with its headers', async () => {
    const { url } = await gateway(() => ({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        Vary: 'Accept-Encoding',
        ETag: '"7+gzip"',
      },
      body: gzipSync('{"x":1}').toString('base64'),
      isBase64Encoded: true,
    }));
    const answer = await fetch(`${url}/things/1`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(gzipSync('{"x":1}').length),
      vary: 'Accept-Encoding',
      etag: '"7+gzip"',
    });
    expect(await answer.json()).toEqual({ x: 1 });
  });

  it('has status 200 and type JSON if the function returns no status', async () => {
    const answer = await answering({ x: 1 });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toEqual({ x: 1 });
  });

  it('contains a string that the function returns as its body', async () => {
    expect(await (await answering('hello')).text()).toBe('hello');
  });

  it('has no body for status 204', async () => {
    const none = await answering({ statusCode: 204 });
    expect([none.status, await none.text(), none.headers.get('content-type')]).toEqual([204, '', null]);
  });

  test.each([
    ['a status that is not a number', { statusCode: 'ok' }],
    ['a body that is not a string', { statusCode: 200, body: { x: 1 } }],
    ['headers that are a list', { statusCode: 200, headers: [] }],
  ])('has status 500 if the function returns %s', async (_why, result) => {
    const answer = await answering(result);
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });
});

describe('a response of API Gateway itself', () => {
  it('has status 404 if no route matches', async () => {
    const answer = await fetch(`${echo.url}/nothing`);
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'Not Found' }]);
  });

  it('has status 400 if the path cannot be decoded', async () => {
    expect((await fetch(`${echo.url}/things/%E0`)).status).toBe(400);
  });

  test.each([
    [500, 'fails', 'Sandbox.Timedout', 'Internal Server Error'],
    [413, 'does not accept a body of this size', 'RequestEntityTooLargeException', 'Request Too Long'],
  ])('has status %i if the function %s', async (status, _why, errorType, message) => {
    const invoke = async (): Promise<Outcome> => ({ error: { errorType, errorMessage: '' } });
    const { url } = await gateway(() => null, { invoke });
    const answer = await fetch(`${url}/things/1`);
    expect([answer.status, await answer.json()]).toEqual([status, { message }]);
  });

  it('has status 503 if the function exceeds the time-out of the integration', async () => {
    const { url } = await gateway(() => new Promise(() => {}));
    const answer = await fetch(`${url}/slow`);
    expect([answer.status, await answer.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  });

  it('has status 413 only if the body exceeds 10 MB', async () => {
    const { url } = await gateway((event) => ({ statusCode: 200, body: String(event.body?.length) }));
    const put = (bytes: number) =>
      fetch(`${url}/things/1`, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: Buffer.alloc(bytes, 'a'),
      });
    const limit = 10 * 1024 * 1024;
    expect(await (await put(limit)).text()).toBe(String(limit));
    const refused = await put(limit + 1);
    expect([refused.status, await refused.json()]).toEqual([413, { message: 'Request Too Long' }]);
  });
});

describe('CORS settings of the template', () => {
  const cors = {
    allowOrigins: ['https://a.example'],
    allowMethods: ['GET', 'PUT'],
    allowHeaders: ['authorization'],
    exposeHeaders: ['etag'],
    allowCredentials: false,
    maxAgeSeconds: 60,
  };
  const routes = [{ routeKey: 'GET /x', functionName: 'X', timeoutMs: 1000 }];
  const start = () =>
    gateway(() => ({ statusCode: 200, headers: { 'Access-Control-Allow-Origin': 'evil' } }), {
      api: { routes, cors },
    });
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };

  it('let the gateway answer a preflight request without calling a function', async () => {
    const answer = await fetch(`${(await start()).url}/x`, { method: 'OPTIONS', headers: preflight });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': 'GET,PUT',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '60',
    });
  });

  it('replace the CORS headers of functions, but only for allowed origins', async () => {
    const { url } = await start();
    const from = (origin: string) => fetch(`${url}/x`, { headers: { origin } });
    expect((await from('https://a.example')).headers.get('access-control-allow-origin')).toBe(
      'https://a.example',
    );
    expect((await from('https://b.example')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('serves mounted paths besides the API', async () => {
  const mounts = [
    { prefix: '/docs/', handle: (_: unknown, response: { end(text: string): void }) => response.end('page') },
  ];
  const { url } = await gateway(() => null, { mounts } as Partial<GatewayOptions>);
  expect(await (await fetch(`${url}/docs/a`)).text()).toBe('page');
});

it('reports that a port is already in use', async () => {
  await expect(gateway(() => null, { port: echo.port })).rejects.toThrow(`port ${echo.port} is taken`);
});
